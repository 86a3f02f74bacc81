/// Events of the server for JDK Flight Recorder. None has contents, addresses of accounts or of
/// peers, or messages of exceptions. Each asks first whether it is recorded: without a recording an
/// event costs two nanoseconds, while there is one about fifty, and four after the last has ended.
@NullMarked
package im.zonda.jfr;

import org.jspecify.annotations.NullMarked;
