package im.zonda.app.clients;

import java.util.concurrent.BlockingQueue;
import org.jivesoftware.smackx.muc.ParticipantStatusListener;
import org.jspecify.annotations.Nullable;
import org.jxmpp.jid.EntityFullJid;
import org.jxmpp.jid.Jid;
import org.jxmpp.jid.parts.Resourcepart;

/// Writes down what the library tells of the occupants of a room.
record RoomWatch(BlockingQueue<String> seen) implements ParticipantStatusListener {
  private void saw(EntityFullJid who, String what) {
    seen.add(who.getResourcepart() + " " + what);
  }

  @Override
  public void joined(EntityFullJid who) {
    saw(who, "joined");
  }

  @Override
  public void left(EntityFullJid who) {
    saw(who, "left");
  }

  @Override
  public void kicked(EntityFullJid who, @Nullable Jid actor, @Nullable String reason) {
    saw(who, "kicked: " + reason);
  }

  @Override
  public void banned(EntityFullJid who, @Nullable Jid actor, @Nullable String reason) {
    saw(who, "banned: " + reason);
  }

  @Override
  public void voiceGranted(EntityFullJid who) {
    saw(who, "voice");
  }

  @Override
  public void voiceRevoked(EntityFullJid who) {
    saw(who, "no voice");
  }

  @Override
  public void membershipGranted(EntityFullJid who) {
    saw(who, "member");
  }

  @Override
  public void membershipRevoked(EntityFullJid who) {
    saw(who, "no member");
  }

  @Override
  public void moderatorGranted(EntityFullJid who) {
    saw(who, "moderator");
  }

  @Override
  public void adminGranted(EntityFullJid who) {
    saw(who, "admin");
  }

  @Override
  public void nicknameChanged(EntityFullJid who, Resourcepart now) {
    saw(who, "is called " + now);
  }
}
