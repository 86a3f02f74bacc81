/// Subscriptions to nodes that the server manages for accounts (XEP-0376), and their public list
/// (XEP-0465).
@NullMarked
package im.zonda.module.following;

import org.jspecify.annotations.NullMarked;
