package im.zonda.store;

import im.zonda.jid.Jid;
import java.time.Instant;
import java.util.List;

/// A registered account.
///
/// @param jid its bare address
/// @param keys one entry per SCRAM hash
/// @param created when it was created
public record Account(Jid jid, List<ScramKeys> keys, Instant created) {}
