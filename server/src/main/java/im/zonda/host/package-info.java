/// Virtual hosts: their modules and what those have declared.
@NullMarked
package im.zonda.host;

import org.jspecify.annotations.NullMarked;
