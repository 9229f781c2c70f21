// @vitest-environment jsdom
import { Signal } from '@lumino/signaling';
import { afterEach, expect, it } from 'vitest';
import type { HostedCluster, HostedClusters, HostState } from '../../../../src/clients/hosting/model';
import { HostedSection, type HostingActions } from '../../../../src/sidebar/hosting/section';
import { translate as trans } from '../../translate';

/** The hosted clusters of a server, by name. */
class Hosted {
  readonly changed = new Signal<object, void>(this);
  list: readonly HostedCluster[] = [];
  visible = false;

  show(states: Readonly<Record<string, HostState>>): void {
    this.list = Object.entries(states).map(
      ([name, state]) => ({ id: name, name, state, facts: { fixed: '', client: 'c' } }) as unknown as HostedCluster
    );
    this.changed.emit();
  }
}

let section: HostedSection;

afterEach(() => {
  section.dispose();
  section.node.remove();
});

function setup(): Hosted {
  const hosted = new Hosted();
  const actions = new Proxy({}, { get: () => () => undefined }) as HostingActions;
  section = new HostedSection(hosted as unknown as HostedClusters, trans, actions);
  document.body.append(section.node);
  return hosted;
}

const button = (name: string, action: string): HTMLElement =>
  section.node.querySelector<HTMLElement>(`[data-name="${name}"] [data-action="${action}"]`) ?? expect.unreachable();
const focused = (): string | undefined => (document.activeElement as HTMLElement).closest<HTMLElement>('.dp-Row')?.dataset.name;

it('leaves the focus on the card whose button has gone', () => {
  const hosted = setup();
  hosted.show({ one: 'running', two: 'running' });
  button('two', 'shutDown').focus();
  hosted.show({ one: 'running', two: 'closing' });
  expect(focused()).toBe('two');
  hosted.show({ one: 'running', two: 'silent' });
  expect(focused()).toBe('two');
});

it('moves the focus to the card after one that has gone, to the last one, else to the button that starts one', () => {
  const hosted = setup();
  hosted.show({ one: 'running', two: 'running', three: 'running' });
  button('two', 'shutDown').focus();
  hosted.show({ one: 'running', three: 'running' });
  expect(focused()).toBe('three');
  hosted.show({ one: 'running' });
  expect(focused()).toBe('one');
  hosted.show({});
  expect(document.activeElement?.textContent).toBe('+ New cluster');
});

it('gives the focus back to a card that was drawn again while a dialog was open', () => {
  const hosted = setup();
  hosted.show({ one: 'running', two: 'running' });
  const scale = button('two', 'scale');
  scale.focus();
  const dialog = document.body.appendChild(document.createElement('button'));
  dialog.focus();
  hosted.show({ one: 'running', two: 'running', three: 'running' });
  hosted.show({ one: 'closing', two: 'running', three: 'running' });
  dialog.remove();
  // As JupyterLab's dialog does, which knows what had the focus before.
  scale.focus();
  expect(document.activeElement).toBe(button('two', 'scale'));
});
