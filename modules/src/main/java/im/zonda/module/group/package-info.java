/// Shared groups: puts together what the settings, the store and the providers of accounts say, and
/// has administrators change what is stored.
@NullMarked
package im.zonda.module.group;

import org.jspecify.annotations.NullMarked;
