import { expect, it } from 'vitest';
import { fitted, keptIn, panned, zoomed } from '../../../src/views/vega/time/moves';

const RUN = { left: 0, right: 1000 };

it('A zoom keeps what is below the pointer where it is', () => {
  expect(zoomed({ left: 100, right: 300 }, 0.5, 0.25)).toEqual({ left: 125, right: 225 });
  expect(zoomed({ left: 100, right: 300 }, 2, 0)).toEqual({ left: 100, right: 500 });
  expect(panned({ left: 100, right: 300 }, -40)).toEqual({ left: 60, right: 260 });
});

it('No more than the run is shown, and always some of it', () => {
  expect(fitted(RUN)).toEqual({ left: -10, right: 1010 });
  expect(keptIn({ left: -500, right: 900 }, RUN)).toEqual(fitted(RUN));
  expect(keptIn({ left: -150, right: 50 }, RUN)).toEqual({ left: -150, right: 50 });
  expect(keptIn({ left: -400, right: -200 }, RUN)).toEqual({ left: -180, right: 20 });
  expect(keptIn({ left: 2000, right: 2200 }, RUN)).toEqual({ left: 980, right: 1180 });
});
