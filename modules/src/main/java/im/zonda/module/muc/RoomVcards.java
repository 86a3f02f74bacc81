package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.store.KeyValueStore;
import im.zonda.store.StoreException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlReader;
import im.zonda.xml.XmlWriter;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Keeps one vCard per room (XEP-0054) and tells of the pictures in it. Owners change it, whoever
/// may know of the room reads it.
@Xep(number = 486, version = "0.1.0", title = "MUC Avatars")
final class RoomVcards {
  private static final String NAMESPACE = "vcard-temp";
  private static final QName VCARD = new QName(NAMESPACE, "vCard");
  private static final String KEY = "vcard";

  private final RoomBroadcast broadcast;
  private final KeyValueStore store;
  private final int most;

  RoomVcards(ModuleContext context, RoomBroadcast broadcast) {
    this.broadcast = broadcast;
    this.store = context.keyValues("vcard");
    this.most = context.config().limits().vcardBytes();
  }

  void install(RequestTable table) {
    table
        .room(Iq.Type.GET, VCARD, this::get)
        .room(Iq.Type.SET, VCARD, this::set)
        .info(this::addHashes)
        .roomFeature(NAMESPACE)
        .serviceFeature(NAMESPACE);
  }

  private IqReply get(RoomHome home, LiveRoom live, Iq iq, Element payload) {
    Jid from = iq.from();
    Element vcard =
        from != null && RoomDiscovery.isKnownTo(live.room(), from) ? stored(home.jid()) : null;
    return vcard == null ? IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND) : IqReply.result(vcard);
  }

  private IqReply set(RoomHome home, LiveRoom live, Iq iq, Element vcard) {
    Jid from = iq.from();
    if (from == null || live.room().affiliationOf(from.bare()) != Affiliation.OWNER) {
      return IqReply.refuse(ErrorCondition.FORBIDDEN, "only owners set the room's picture");
    }
    boolean removed = vcard.nodes().isEmpty();
    if (removed && (!live.stored() || store.get(home.jid(), KEY) == null)) {
      return IqReply.empty(); // nothing has changed
    }
    if (!live.stored()) {
      return IqReply.refuse(ErrorCondition.UNEXPECTED_REQUEST, "the room is not configured yet");
    }
    List<String> hashes = hashes(vcard);
    if (hashes == null) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST, "a picture is not in base64");
    }
    if (removed) {
      store.remove(home.jid(), KEY);
    } else {
      ByteArraySink bytes = new ByteArraySink(1_024);
      XmlWriter.write(vcard, "", bytes);
      if (bytes.size() > most) {
        return IqReply.refuse(
            ErrorCondition.POLICY_VIOLATION, "a vCard has at most " + most + " bytes");
      }
      store.put(home.jid(), KEY, bytes.toByteArray());
    }
    home.pictures(hashes);
    tellOccupants(live.room());
    return IqReply.empty();
  }

  private void tellOccupants(Room room) {
    Element x =
        Element.builder(MucNames.X_USER)
            .child(Element.builder(MucNames.USER, "status").attribute("code", "104").build())
            .build();
    broadcast.message(room, Message.of(Message.Type.GROUPCHAT, room.jid(), null, null, List.of(x)));
  }

  private void addHashes(RoomHome home, DataForm.Builder form) {
    List<String> hashes = home.pictures();
    if (hashes == null) {
      Element vcard = stored(home.jid());
      hashes = vcard == null ? List.of() : hashes(vcard);
      hashes = hashes == null ? List.of() : hashes;
      home.pictures(hashes);
    }
    if (!hashes.isEmpty()) {
      form.field(
          "muc#roominfo_avatarhash", "text-multi", "Hashes of the picture", hashes, Map.of());
    }
  }

  private @Nullable Element stored(Jid room) {
    byte[] vcard = store.get(room, KEY);
    try {
      return vcard == null ? null : XmlReader.read(vcard);
    } catch (XmlException e) {
      throw new StoreException(StoreException.Category.DAMAGED, "a stored vCard is no XML", e);
    }
  }

  /// SHA-1 of each picture's bytes (XEP-0153, section 4.1); null if one cannot be read.
  private static @Nullable List<String> hashes(Element vcard) {
    List<String> hashes = new ArrayList<>();
    for (Element photo : vcard.children()) {
      Element data = photo.is(NAMESPACE, "PHOTO") ? photo.child("BINVAL") : null;
      if (data == null) {
        continue;
      }
      try {
        byte[] picture = Base64.getDecoder().decode(data.text().replaceAll("\\s", ""));
        hashes.add(HexFormat.of().formatHex(sha1().digest(picture)));
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
    return hashes;
  }

  private static MessageDigest sha1() {
    try {
      return MessageDigest.getInstance("SHA-1");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-1", e);
    }
  }
}
