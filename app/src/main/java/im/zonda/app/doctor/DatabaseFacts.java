package im.zonda.app.doctor;

import im.zonda.storage.sql.log.StoreHealth;
import org.jspecify.annotations.Nullable;

/// Facts of the database; null for what is not known.
///
/// @param health how the running server stores; null without one
/// @param risks settings of the database by which it may lose commits; empty if there are none;
///   null if they could not be read
/// @param failure why it could not be read; null if it could
/// @param exists whether there is a database
/// @param isDurable whether messages are written before they are acknowledged
record DatabaseFacts(
    @Nullable StoreHealth health,
    @Nullable String risks,
    @Nullable String failure,
    boolean exists,
    boolean isDurable) {}
