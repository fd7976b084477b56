import { parse } from 'bowser';

/** The kind of device of a browser. A tablet is not a mobile. */
export interface Device {
  readonly isMobile: boolean;
  readonly isTablet: boolean;
}

/** The device of a User-Agent. An unknown one is neither. */
export function deviceOf(userAgent: string): Device {
  const { type } = parse(userAgent).platform;
  return { isMobile: type === 'mobile', isTablet: type === 'tablet' };
}
