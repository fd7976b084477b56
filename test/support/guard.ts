import { callAsAdmin } from './api.ts';

/** A property's settings for payments of more than is due, and for payments like earlier ones. */
interface Guard {
  readonly overchargeGuard?: 'off' | 'warn' | 'refuse';
  readonly duplicateWindowSeconds?: number;
}

/** Puts the seeded property with these settings; those that are left out keep their value. */
export async function setGuard(guard: Guard): Promise<void> {
  const demo = {
    property: 'demo',
    name: 'Demo Property',
    site: 'demo.localhost',
    currency: 'AUD',
    timeZone: 'Australia/Perth',
  };
  const { status } = await callAsAdmin('/admin/v1/property/put', { ...demo, ...guard });
  if (status !== 200) throw new Error(`property/put: ${status}`);
}
