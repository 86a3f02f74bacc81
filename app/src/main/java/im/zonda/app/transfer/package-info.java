/// Moving in from another server: what can be taken, and where it is read from.
///
/// A source reads the data of one format and passes on one account, room or message after another;
/// `destination` writes them to the stores.
@NullMarked
package im.zonda.app.transfer;

import org.jspecify.annotations.NullMarked;
