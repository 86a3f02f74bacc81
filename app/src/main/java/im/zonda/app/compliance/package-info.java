/// The features of the compliance suites (XEP-0479) that the hosts of a running server provide.
@NullMarked
package im.zonda.app.compliance;

import org.jspecify.annotations.NullMarked;
