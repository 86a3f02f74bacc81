/// How clients that have only HTTP find the server (XEP-0156).
@NullMarked
package im.zonda.module.hostmeta;

import org.jspecify.annotations.NullMarked;
