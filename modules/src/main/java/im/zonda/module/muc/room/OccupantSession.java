package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import org.jspecify.annotations.Nullable;

/// One session of an occupant. Identified by its full address, so it survives the resumption of its
/// stream (XEP-0198).
public final class OccupantSession {
  /// Memory of a session without its presence, in bytes: objects, addresses and map entries.
  private static final int COST = 1_024;

  private final Jid jid;
  private @Nullable OccupantRates rates;
  private @Nullable RateLimit presenceRate;
  private @Nullable Presence presence;
  private RoomMemory.@Nullable Charge cost;
  private long enteredAt;
  private long historyFrom;
  private long enteredBy;
  private boolean caughtUp;
  private boolean followsAffiliations;

  public OccupantSession(Jid jid) {
    this.jid = jid;
  }

  /// The full address.
  public Jid jid() {
    return jid;
  }

  /// The id of the room's log at which the session has entered, or entered again: what is older it
  /// gets only as history. 0 if it is not known.
  public long enteredAt() {
    return enteredAt;
  }

  public void setEnteredAt(long id) {
    enteredAt = id;
  }

  /// The id of the first message of the history that it gets; 0 if that is not known, as after a
  /// move of the room.
  public long historyFrom() {
    return historyFrom;
  }

  public void setHistoryFrom(long id) {
    historyFrom = id;
  }

  /// Notes the presence by which the session enters, or enters again.
  ///
  /// @param identity [im.zonda.module.Origin#identity] of that presence
  public void setEnteredBy(long identity) {
    enteredBy = identity;
    caughtUp = false;
  }

  /// Whether the session has entered by that presence. False after a move of the room.
  public boolean hasEnteredBy(long identity) {
    return identity != 0 && identity == enteredBy;
  }

  /// The session was recovered, and has got what it had not received since it entered.
  public void setCaughtUp() {
    caughtUp = true;
  }

  public boolean isCaughtUp() {
    return caughtUp;
  }

  /// Whether its client keeps the affiliations of the room (XEP-0463). Not known after a move to
  /// another node: then the client gets all of them when it enters the next time.
  public boolean followsAffiliations() {
    return followsAffiliations;
  }

  /// The client keeps the affiliations from now on.
  public void followAffiliations() {
    followsAffiliations = true;
  }

  /// The latest presence as most occupants see it, or null.
  public @Nullable Presence presence() {
    return presence;
  }

  public void showPresence(Presence presence) {
    this.presence = presence;
    if (cost != null) {
      cost.set(memoryCost(presence));
    }
  }

  /// Estimates the memory of a session with that presence, in bytes.
  public static long memoryCost(Presence presence) {
    return (long) COST + presence.writtenSize();
  }

  /// Charges the memory of the session to an account.
  public void chargeTo(RoomMemory.Charge newCost) {
    cost = newCost;
  }

  /// Charges for the presence that the session will show; returns false if the account uses too
  /// much memory.
  public boolean reserveMemory(Presence presence) {
    return cost == null || cost.resize(memoryCost(presence));
  }

  /// Ends the charge when the session leaves the room.
  void release() {
    if (cost != null) {
      cost.release();
      cost = null;
    }
  }

  /// Its rates; null if it has only read.
  @Nullable OccupantRates rates() {
    return rates;
  }

  void continueRates(@Nullable OccupantRates ofBefore) {
    rates = ofBefore;
  }

  // Created on first use, as most occupants only read.
  private OccupantRates usedRates() {
    OccupantRates made = rates;
    if (made == null) {
      made = new OccupantRates();
      rates = made;
    }
    return made;
  }

  /// The rate of its messages.
  public RateLimit messageRate() {
    return usedRates().messages;
  }

  /// The rate of its changes of presence and nickname.
  public RateLimit presenceRate() {
    RateLimit made = presenceRate;
    if (made == null) {
      made = new RateLimit();
      presenceRate = made;
    }
    return made;
  }

  /// The rate of its voice requests.
  public RateLimit voiceRequestRate() {
    return usedRates().voiceRequests;
  }
}
