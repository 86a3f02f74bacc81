/// Abuse of a server on a small heap: each class is one kind, [AbuseTest] runs them all.
@NullMarked
package im.zonda.app.abuse;

import org.jspecify.annotations.NullMarked;
