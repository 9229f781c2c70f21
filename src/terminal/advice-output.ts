/** Advice as lines of text and as JSON. */
import type { Advice, Verdict } from '../advice/advice';
import { confidenceWords, costWords, mostlyWorkerless, thoseThreads } from '../advice/words';
import { shareWords } from '../advice/headline/shares';
import { formatDuration, formatPercent } from '../base/format';
import { english } from '../plot/translation';
import { wrapped } from './wrapped';

/** Advice for programs. Times are in seconds, shares from 0 to 1, what is not known is null. */
export function adviceJson(advice: Advice): Readonly<Record<string, unknown>> {
  const { period, threads, capacity } = advice;
  const wall = period === null ? 0 : period.to - period.from;
  return {
    headline: advice.headline,
    period,
    wall,
    threads,
    threadSeconds: capacity,
    pauses: advice.pauses,
    workerless: advice.workerless,
    unanswered: advice.unanswered,
    parts: advice.parts,
    verdicts: advice.verdicts,
    computedInVain: advice.computedInVain,
    unrecordedInVain: advice.unrecordedInVain,
    computedForOthers: advice.computedForOthers,
    absent: advice.absent,
    unknown: advice.unknown,
    unexplained: advice.unexplained,
    machineBusy: advice.machineBusy
  };
}

/** Advice as text for users. */
export function adviceText(file: string, advice: Advice): readonly string[] {
  const { period, verdicts, absent, unknown } = advice;
  if (period === null) {
    return [`${file}: ${advice.headline}`];
  }
  const lines = [[`${file}: ${thoseThreads(advice, english)}`, ...shareWords(advice, english)].join(', '), ''];
  if (verdicts.length === 0) {
    lines.push(advice.headline, '');
  }
  for (const [i, verdict] of verdicts.entries()) {
    lines.push(...verdictText(i + 1, verdict, advice), '');
  }
  if (absent.length > 0) {
    lines.push(...wrapped(`Checked and not found: ${absent.map(({ cause }) => cause).join(', ')}.`));
  }
  for (const { cause, why } of unknown) {
    lines.push(...wrapped(`Could not be checked: ${cause}. ${why}`));
  }
  return lines;
}

function verdictText(number: number, verdict: Verdict, advice: Advice): string[] {
  const { title, cause, cost, confidence, doubt, evidence } = verdict;
  const price =
    cost.seconds > 0 ? `${formatPercent(cost.share)}, ${formatDuration(cost.seconds)} of thread time` : 'no cost measured';
  const prices = [...(mostlyWorkerless(advice, verdict) > 0 ? [costWords(advice, verdict, english)] : []), price].join('; ');
  const figures = evidence.figures.map(({ label, text }) => `${label}: ${text}`).join(' · ');
  const paragraphs = [
    verdict.sentence,
    figures,
    `${confidenceWords(confidence, english)}${doubt === '' ? '' : `: ${doubt}`}`,
    `What to do: ${verdict.remedy}`,
    verdict.link
  ];
  return [
    ...wrapped(`${number}. ${title} (${cause}): ${prices}`),
    ...paragraphs.filter(text => text !== '').flatMap(text => wrapped(text, '   '))
  ];
}
