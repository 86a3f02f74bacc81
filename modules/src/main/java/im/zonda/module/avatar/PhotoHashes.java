package im.zonda.module.avatar;

import im.zonda.hook.Verdict;
import im.zonda.module.presence.PresenceModule;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Puts the hash of the avatar into the presence of clients (XEP-0398, section 5). A client that
/// says that it has no picture is believed.
final class PhotoHashes {
  private static final QName UPDATE = new QName("vcard-temp:x:update", "x");

  private final HomeKey<Avatar> key;
  private final PresenceModule presence;

  /// Set while the presence that a client broadcasts says that there is no picture.
  private final SessionKey<String> declined =
      new SessionKey<>("avatar-declined", String.class, text -> text, text -> text);

  PhotoHashes(HomeKey<Avatar> key, PresenceModule presence) {
    this.key = key;
    this.presence = presence;
  }

  /// A client sends presence. Does not block.
  Verdict sent(Presence stanza, Home home, Session session) {
    if (stanza.type() != Presence.Type.AVAILABLE || !home.exists()) {
      return Verdict.pass();
    }
    boolean broadcast = stanza.to() == null;
    Element photo = photo(stanza);
    boolean declines = photo != null && photo.text().isBlank();
    if (broadcast) {
      session.set(declined, declines ? "1" : null);
    }
    String hash = declines ? null : home.state(key).hashFor(broadcast);
    return hash == null || (photo != null && hash.equals(normal(photo.text())))
        ? Verdict.pass()
        : Verdict.replace(with(stanza, hash));
  }

  private static @Nullable Element photo(Presence stanza) {
    Element x = stanza.has(UPDATE) ? stanza.payload(UPDATE) : null;
    return x == null ? null : x.child("photo");
  }

  private static String normal(String hash) {
    return hash.strip().toLowerCase(Locale.ROOT);
  }

  /// @param hash the hash, or null for no picture
  private static Presence with(Presence stanza, @Nullable String hash) {
    QName name = new QName(UPDATE.namespace(), "photo");
    Element photo = hash == null ? Element.of(name) : Element.text(name, hash);
    return stanza
        .withoutPayloads(payload -> payload.name().equals(UPDATE))
        .withPayload(Element.builder(UPDATE).child(photo).build());
  }

  /// Broadcasts the presence of the available clients with another hash, or without a picture.
  void broadcast(Home home) {
    String hash = home.exists() ? home.state(key).hashFor(true) : null;
    for (Session session : List.copyOf(home.sessions())) {
      Presence present = session.presence();
      if (present == null || session.get(declined) != null) {
        continue;
      }
      Element photo = photo(present);
      String told = photo == null ? "" : normal(photo.text());
      if (!told.equals(hash == null ? "" : hash)) {
        presence.broadcast(with(present, hash), home, session);
      }
    }
  }
}
