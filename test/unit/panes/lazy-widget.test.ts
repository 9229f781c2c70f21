// @vitest-environment jsdom
import { MessageLoop } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Lazy } from '../../../src/base/lazy';
import { LazyWidget, loaded, LoadFailure } from '../../../src/panes/lazy-widget';
import { translate } from '../translate';

/** Content that a test can recognise. */
function content(text: string): Widget {
  const widget = new Widget();
  widget.node.textContent = text;
  return widget;
}

const settled = (): Promise<void> => new Promise(resolve => setTimeout(resolve));

afterEach(() => {
  document.body.replaceChildren();
});

describe('a widget whose content is loaded when it is first shown', () => {
  it('is empty until it is visible, then has its content once', async () => {
    const make = vi.fn(async () => content('clients'));
    const widget = new LazyWidget(make, translate);
    widget.hide();
    Widget.attach(widget, document.body);
    await settled();
    expect(make).not.toHaveBeenCalled();
    widget.show();
    await settled();
    expect(widget.node.textContent).toBe('clients');
    widget.hide();
    widget.show();
    await settled();
    expect(make).toHaveBeenCalledOnce();
    widget.dispose();
  });

  it('says what failed, and tries again on a click and when it is shown again', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const code = new Lazy<string>(
      vi
        .fn<() => Promise<string>>()
        .mockRejectedValueOnce(new Error('Loading chunk 7 failed.'))
        .mockRejectedValueOnce(new Error('Loading chunk 7 failed.'))
        .mockResolvedValue('clients')
    );
    const widget = new LazyWidget(async () => content(await loaded(code, translate)), translate);
    Widget.attach(widget, document.body);
    await settled();
    const alert = (): Element | null => widget.node.querySelector('[role=alert]');
    expect(alert()?.textContent).toContain('could not be loaded from the Jupyter server');
    expect(alert()?.textContent).not.toContain('chunk');
    widget.hide();
    widget.show();
    await settled();
    expect(widget.node.querySelectorAll('[role=alert]')).toHaveLength(1);
    widget.node.querySelector('button')?.click();
    await settled();
    expect(widget.node.textContent).toBe('clients');
    expect(alert()).toBeNull();
    widget.dispose();
  });

  it('says what else went wrong in its own words', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const widget = new LazyWidget(() => Promise.reject(new Error('The file has no clock.')), translate);
    expect(await widget.fill()).toBeNull();
    expect(widget.node.textContent).toContain('The file has no clock.');
    widget.dispose();
  });

  it('leaves nothing if it was disposed while it loaded', async () => {
    const made = content('late');
    let arrive = (_: Widget): void => undefined;
    const widget = new LazyWidget(() => new Promise<Widget>(resolve => (arrive = resolve)), translate);
    const filled = widget.fill();
    widget.dispose();
    arrive(made);
    expect(await filled).toBeNull();
    expect(made.isDisposed).toBe(true);
  });

  it('passes an activation on, also one from before', async () => {
    const widget = new LazyWidget(async () => content('clock'), translate);
    Widget.attach(widget, document.body);
    const activated = vi.spyOn(Widget.prototype, 'activate');
    widget.activate();
    await settled();
    expect(activated.mock.contexts).toContain(widget.content);
    widget.dispose();
  });
});

it('does not take the focus back from where the user has gone while it was loaded', async () => {
  const input = document.body.appendChild(document.createElement('input'));
  const made: Widget[] = [];
  const widget = new LazyWidget(async () => {
    made.push(content('clock'));
    return made[0];
  }, translate);
  Widget.attach(widget, document.body);
  const activated = vi.spyOn(Widget.prototype, 'activate');
  widget.activate();
  MessageLoop.flush();
  expect(document.activeElement).toBe(widget.node);
  input.focus();
  await settled();
  expect(widget.content).toBe(made[0]);
  expect(activated.mock.contexts).not.toContain(made[0]);
  expect(document.activeElement).toBe(input);
  widget.dispose();
});

describe('a part for an action of a user', () => {
  it('fails with words for users, and the cause', async () => {
    const cause = new Error('Loading chunk 7 failed.');
    const failure = await loaded(new Lazy(() => Promise.reject(cause)), translate).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LoadFailure);
    expect((failure as LoadFailure).cause).toBe(cause);
  });
});
