/// Settings of shared groups.
@NullMarked
package im.zonda.config.group;

import org.jspecify.annotations.NullMarked;
