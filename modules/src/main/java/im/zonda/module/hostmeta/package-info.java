/// Discovery of the server for clients that have only HTTP (XEP-0156).
@NullMarked
package im.zonda.module.hostmeta;

import org.jspecify.annotations.NullMarked;
