"""What only workers know, gathered beside the Client: profiles, transfers, logs."""
