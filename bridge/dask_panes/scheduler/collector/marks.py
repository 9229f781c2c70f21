"""What the transition hook notes of a key in ``Parts.marked`` until it is needed: at most one mark for each key.

A collector of another version takes the marks over, so their values never change. The hook removes a mark when an
execution of the key ends with a result, and when the scheduler forgets the key.
"""

from __future__ import annotations

#: It erred, or was erred because of a task that it needs.
ERRED = "erred"
#: It was released before it had run, and the scheduler still has it: see `Halted`. Also removed when it is needed
#: again.
HALTED = "cancelled"
#: Its result was lost while something needed it.
LOST = "lost"
#: Its result had been released, and is needed again; or its user wants it computed again.
AGAIN = "again"
#: An attempt at it ended with its worker.
ATTEMPT = "attempt"

#: Marks of tasks that run again: their results or attempts were lost.
RUNS_AGAIN = (LOST, AGAIN, ATTEMPT)
