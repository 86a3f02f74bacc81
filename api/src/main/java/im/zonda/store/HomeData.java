package im.zonda.store;

import java.util.Map;

/// The data that the home of an account reads from the stores when it is loaded.
///
/// @param roster the roster
/// @param values the values of the wanted key-value stores, by the store's name and the key; a
///   store without values may be missing
/// @param waiting the number of messages that wait in the log
public record HomeData(
    RosterStore.Roster roster, Map<String, Map<String, byte[]>> values, int waiting) {}
