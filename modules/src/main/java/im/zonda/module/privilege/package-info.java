/// Privileged entities (XEP-0356): external components that act on behalf of accounts.
@NullMarked
package im.zonda.module.privilege;

import org.jspecify.annotations.NullMarked;
