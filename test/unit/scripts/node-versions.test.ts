import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';
import { expect, it } from 'vitest';
import { checkNode, ROOT } from '../../../scripts/lib/environment.mjs';

const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } };

it.each(['18.20.0', '20.18.3', '20.19.0', '20.20.1', '21.7.3', '22.12.0', '22.13.0', '22.22.0', '23.11.0', '24.0.0', '26.1.0'])(
  'setup takes Node %s if package.json does',
  version => {
    const takes = (): true => {
      checkNode(version);
      return true;
    };
    if (satisfies(version, engines.node)) {
      expect(takes()).toBe(true);
    } else {
      expect(takes).toThrow(`Node ${version} is too old`);
    }
  }
);
