/** Not built yet: Settings. */

import { Empty } from "../parts/empty.tsx";
import { PageHead } from "../parts/page_head.tsx";

export function Settings() {
  return (
    <>
      <PageHead title="Settings" />
      <Empty icon="overview" title="Not built yet">This page is still to come.</Empty>
    </>
  );
}
