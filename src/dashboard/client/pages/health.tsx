/** Not built yet: Health. */

import { Empty } from "../parts/empty.tsx";
import { PageHead } from "../parts/page_head.tsx";

export function Health() {
  return (
    <>
      <PageHead title="Health" />
      <Empty icon="overview" title="Not built yet">This page is still to come.</Empty>
    </>
  );
}
