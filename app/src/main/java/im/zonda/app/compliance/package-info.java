/// What the hosts of a running server provide of the compliance suites (XEP-0479).
@NullMarked
package im.zonda.app.compliance;

import org.jspecify.annotations.NullMarked;
