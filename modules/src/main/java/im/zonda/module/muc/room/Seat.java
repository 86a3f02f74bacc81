package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import org.jspecify.annotations.Nullable;

/// One session of an occupant. It is known by its full address alone, so that it keeps its seat
/// whatever stream it has (XEP-0198).
public final class Seat {
  /// A session besides its presence: the seat, the occupant, addresses and the entries of maps.
  private static final int COST = 1_024;

  private final Jid session;
  private @Nullable RateLimit messages;
  private @Nullable RateLimit changes;
  private @Nullable RateLimit requests;
  private @Nullable Presence shown;
  private RoomMemory.@Nullable Charge cost;

  public Seat(Jid session) {
    this.session = session;
  }

  /// The full address.
  public Jid session() {
    return session;
  }

  /// The last presence, in the form in which most occupants are told of it.
  public @Nullable Presence shown() {
    return shown;
  }

  public void shown(Presence presence) {
    shown = presence;
    if (cost != null) {
      cost.force(cost(presence));
    }
  }

  /// What a session costs that shows that presence.
  public static long cost(Presence presence) {
    return (long) COST + presence.writtenSize();
  }

  /// Charges this for the session from now on.
  public void charge(RoomMemory.Charge newCost) {
    cost = newCost;
  }

  /// Charges for a presence that it will show; false if the account may not use so much.
  public boolean reserve(Presence presence) {
    return cost == null || cost.resize(cost(presence));
  }

  /// The session is no longer in the room.
  void left() {
    if (cost != null) {
      cost.end();
      cost = null;
    }
  }

  /// Counts what it says. Most only listen.
  public RateLimit messages() {
    RateLimit made = messages;
    if (made == null) {
      made = new RateLimit();
      messages = made;
    }
    return made;
  }

  /// Counts its changes of presence and nickname.
  public RateLimit changes() {
    RateLimit made = changes;
    if (made == null) {
      made = new RateLimit();
      changes = made;
    }
    return made;
  }

  /// Counts its requests for voice.
  public RateLimit requests() {
    RateLimit made = requests;
    if (made == null) {
      made = new RateLimit();
      requests = made;
    }
    return made;
  }
}
