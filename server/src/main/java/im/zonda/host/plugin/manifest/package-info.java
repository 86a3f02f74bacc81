/// What plugins say about themselves, and their settings checked against it.
@NullMarked
package im.zonda.host.plugin.manifest;

import org.jspecify.annotations.NullMarked;
