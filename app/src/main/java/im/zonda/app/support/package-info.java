/// A file for those who help with a server: what is known of it, without contents and secrets.
@NullMarked
package im.zonda.app.support;

import org.jspecify.annotations.NullMarked;
