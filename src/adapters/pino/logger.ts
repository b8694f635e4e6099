import { type Logger, pino } from 'pino';

/** The levels of a log, the most talkative first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** A log on standard error, one JSON document a line. */
export function logger(level: LogLevel): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Written at once: what was last said before a crash is what matters.
    pino.destination({ dest: 2, sync: true }),
  );
}

/** Milliseconds as they are logged. */
export function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
