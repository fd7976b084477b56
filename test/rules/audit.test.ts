import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../scripts/audit.ts';

const found = (vulnerabilities: Record<string, number>) =>
  JSON.stringify({ auditReportVersion: 2, metadata: { vulnerabilities } });

describe('what npm audit printed', () => {
  it.each([
    [found({ info: 0, low: 0, moderate: 0, high: 0, critical: 0 }), 'sound'],
    [found({ info: 1, low: 2, moderate: 3, high: 0, critical: 0 }), 'sound'],
    [found({ low: 0, high: 1, critical: 0 }), 'weak'],
    [found({ low: 0, high: 0, critical: 1 }), 'weak'],
    ['{"error":{"code":"E405","summary":"Method Not Allowed"}}', 'unknown'],
    ['{"metadata":{}}', 'unknown'],
    ['null', 'unknown'],
    ['', 'unknown'],
    ['<html>', 'unknown'],
  ])('%s is %s', (printed, verdict) => {
    expect(verdictOf(printed)).toBe(verdict);
  });
});
