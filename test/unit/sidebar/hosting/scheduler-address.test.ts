import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { tool } from '../../../../scripts/lib/environment.mjs';
import { addressCode, addressErrors, addressOf, type AddressValues } from '../../../../src/sidebar/hosting/scheduler-address';
import { translate as trans } from '../../translate';

const values = (scheduler: string, more: Partial<AddressValues> = {}): AddressValues => ({
  scheduler,
  ca: '',
  certificate: '',
  key: '',
  ...more
});

describe('the input', () => {
  it('is an address, a host with its port, or a scheduler file', () => {
    for (const right of [
      'tcp://10.0.0.1:8786',
      ' tls://[::1]:8786 ',
      'head.example:8786',
      '[::1]:1',
      '/scratch/my files/s.json',
      'ucx://a:1'
    ]) {
      expect(addressErrors(values(right), trans)).toEqual({});
    }
    for (const wrong of ['', '8786', 'head', 'tcp://', 'a b:1', 'tcp://a b:1', 'client = 3']) {
      expect(addressErrors(values(wrong), trans)).toHaveProperty('scheduler');
    }
  });

  it('has certificates for tls only, and those that belong together', () => {
    expect(addressErrors(values('tcp://a:1', { ca: 'ca.pem' }), trans)).toHaveProperty('scheduler');
    expect(addressErrors(values('tls://a:1', { key: 'k.pem' }), trans)).toEqual({
      ca: expect.any(String),
      certificate: expect.any(String)
    });
    expect(addressErrors(values('tls://a:1', { ca: 'ca.pem', certificate: 'c.pem' }), trans)).toEqual({});
    // The address in a scheduler file may be one of TLS.
    expect(addressErrors(values('/x/s.json', { ca: 'ca.pem', certificate: 'c.pem' }), trans)).toEqual({});
    expect(addressErrors(values('/x/s.json', { ca: 'ca.pem' }), trans)).toEqual({ certificate: expect.any(String) });
  });
});

describe('the code', () => {
  it('is short without certificates', () => {
    expect(addressCode(values(' tcp://a:1 '))).toBe('from distributed import Client\n\nclient = Client("tcp://a:1")\nclient');
    expect(addressCode(values('/x/s.json'))).toContain('Client(scheduler_file="/x/s.json")');
    const secured = addressCode(values('/x/s.json', { ca: 'ca.pem', certificate: 'c.pem' }));
    expect(secured).toContain('Client(scheduler_file="/x/s.json", security=security)');
    expect(addressCode(values('tls://a:1'))).not.toContain('Security');
  });

  it('is Python that calls Client with what was typed, whatever that is', () => {
    const odd = 'tls://a:1/"\\+__import__("os")#\u00e9\u{1f600}';
    const typed = values(odd, { ca: "/a b/c'a.pem", certificate: 'c\\n.pem', key: '' });
    const stubs = [
      'import sys, types, json',
      'm = types.ModuleType("distributed")',
      'm.Client = lambda *a, **k: {"a": a, "k": k}',
      'm.Security = lambda **k: k',
      'sys.modules["distributed"] = m',
      'exec(sys.stdin.read()); print(json.dumps(client))'
    ].join('\n');
    const printed: unknown = JSON.parse(
      execFileSync(tool('python'), ['-c', stubs], { input: addressCode(typed), encoding: 'utf8' })
    );
    const security = { tls_ca_file: typed.ca, tls_client_cert: typed.certificate, require_encryption: true };
    expect(printed).toEqual({ a: [odd], k: { security } });
  });
});

it('the arguments of a command are texts, or missing', () => {
  expect(addressOf({ scheduler: 'tcp://a:1', ca: 7, certificate: null, key: ['k'], more: 'x' })).toEqual(values('tcp://a:1'));
  expect(addressOf({})).toEqual(values(''));
});
