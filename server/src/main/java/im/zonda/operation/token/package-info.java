/// Tokens by which programs administer the server, and who sends a request with one.
@NullMarked
package im.zonda.operation.token;

import org.jspecify.annotations.NullMarked;
