/// The pages of the console. Each reads and changes only by running operations as the one who has
/// signed in.
@NullMarked
package im.zonda.console.page;

import org.jspecify.annotations.NullMarked;
