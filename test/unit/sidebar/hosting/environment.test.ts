import type { JupyterFrontEnd } from '@jupyterlab/application';
import { expect, it } from 'vitest';
import { hostSpecs } from '../../../../src/sidebar/hosting/environment';

it('offers every kernel that may be an ipykernel, whatever else its spec says, the default of the server first', () => {
  const spec = (name: string, language: string, metadata?: object): object => ({ name, language, metadata, display_name: name });
  const kernelspecs = {
    bare: spec('bare', ''),
    conda: spec('conda', 'Python', { debugger: true }),
    r: spec('r', 'R'),
    python3: spec('python3', 'python'),
    gone: undefined
  };
  const app = { serviceManager: { kernelspecs: { specs: { default: 'python3', kernelspecs } } } };
  expect(hostSpecs(app as unknown as JupyterFrontEnd, null).map(({ name }) => name)).toEqual(['python3', 'bare', 'conda']);
});
