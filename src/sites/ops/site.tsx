import { OPS_PATH } from '../console/paths.ts';
import { staffSite } from '../web/staffSite.ts';
import { OpsMessagePage } from './pages/layout.tsx';

export const opsSite = staffSite('ops', OPS_PATH, (heading, text) => (
  <OpsMessagePage heading={heading} text={text} />
));
