/// People and rooms for a server to look around in: `zonda demo`. They are clients of the server in
/// the same process, over the public protocol.
@NullMarked
package im.zonda.app.demo;

import org.jspecify.annotations.NullMarked;
