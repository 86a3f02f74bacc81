/// The writer thread and the message log.
///
/// All changes of the database go through one queue ([WriteQueue]) to one thread that commits them
/// in groups ([GroupCommit]). The hot path is [PendingEntry], one of which is made per message.
@NullMarked
package im.zonda.storage.sql.log;

import org.jspecify.annotations.NullMarked;
