import { type Logger, pino } from 'pino';

/** Log levels, the most verbose first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** A log on standard error, one JSON object per line. */
export function logger(level: LogLevel): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Synchronous, to keep the last lines before a crash.
    pino.destination({ dest: 2, sync: true }),
  );
}

/** Milliseconds as they are logged. */
export function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
