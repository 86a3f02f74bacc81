/// Shared groups in large servers and in clusters.
@NullMarked
package im.zonda.app.group;

import org.jspecify.annotations.NullMarked;
