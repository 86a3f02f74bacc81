/// File upload of the packaged server.
@NullMarked
package im.zonda.app.uploads;

import org.jspecify.annotations.NullMarked;
