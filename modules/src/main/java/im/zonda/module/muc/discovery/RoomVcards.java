package im.zonda.module.muc.discovery;

import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.RoomVisibility;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.store.KeyValueStore;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.XmlReader;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The vCard of a room (XEP-0054) and the hashes of its avatars. Owners set it; users who may see
/// the room can read it.
@Xep(number = 486, version = "0.1.0", title = "MUC Avatars")
public final class RoomVcards {
  private static final String NAMESPACE = "vcard-temp";
  private static final QName VCARD = new QName(NAMESPACE, "vCard");
  private static final String KEY = "vcard";
  private static final Logger LOG = LoggerFactory.getLogger(RoomVcards.class);

  private final RoomBroadcast broadcast;
  private final RoomRepository repository;
  private final KeyValueStore store;
  private final ModuleContext context;

  public RoomVcards(ModuleContext context, RoomBroadcast broadcast, RoomRepository repository) {
    this.broadcast = broadcast;
    this.repository = repository;
    this.store = context.keyValues("vcard");
    this.context = context;
  }

  public void install(RequestTable table) {
    table
        .onRoomIq(Iq.Type.GET, VCARD, this::get)
        .onRoomIq(Iq.Type.SET, VCARD, this::set)
        .addRoomInfo(this::addHashes)
        .roomFeature(NAMESPACE)
        .serviceFeature(NAMESPACE);
  }

  private IqReply get(RoomHome home, LiveRoom live, Iq iq, Element payload) {
    Jid from = iq.from();
    Element vcard =
        from != null && RoomVisibility.isVisibleTo(live.room(), from) ? stored(home.jid()) : null;
    return vcard == null ? IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND) : IqReply.result(vcard);
  }

  private IqReply set(RoomHome home, LiveRoom live, Iq iq, Element vcard) {
    Jid from = iq.from();
    if (from == null || live.room().affiliationOf(from.bare()) != Affiliation.OWNER) {
      return IqReply.refuse(
          ErrorCondition.FORBIDDEN, "only owners may change the vCard of the room");
    }
    boolean removed = isBlank(vcard);
    if (removed && (!live.stored() || store.get(home.jid(), KEY) == null)) {
      return IqReply.empty(); // nothing has changed
    }
    if (!live.stored()) {
      return IqReply.refuse(
          ErrorCondition.UNEXPECTED_REQUEST,
          "the room is locked; an owner must configure it first");
    }
    List<String> hashes = hashes(vcard);
    if (hashes == null) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST, "the avatar is not valid base64");
    }
    if (removed) {
      store.remove(home.jid(), KEY);
    } else {
      ByteArraySink bytes = new ByteArraySink(1_024);
      XmlWriter.write(vcard, "", bytes);
      int most = context.config().limits().vcardBytes();
      if (bytes.size() > most) {
        return IqReply.refuse(
            ErrorCondition.POLICY_VIOLATION,
            "the vCard is too large; the limit is " + most + " bytes");
      }
      store.put(home.jid(), KEY, bytes.toByteArray());
      repository.use(live);
    }
    home.setAvatarHashes(hashes);
    announceChange(live.room());
    return IqReply.empty();
  }

  /// Whether there is no text in it: an avatar may be taken away with an empty photo too.
  private static boolean isBlank(Element element) {
    return element.text().isBlank() && element.children().stream().allMatch(RoomVcards::isBlank);
  }

  private void announceChange(Room room) {
    Element x =
        Element.builder(MucNames.X_USER)
            .child(Element.builder(MucNames.USER, "status").attribute("code", "104").build())
            .build();
    broadcast.sendMessage(
        room, Message.of(Message.Type.GROUPCHAT, room.jid(), null, null, List.of(x)));
  }

  private void addHashes(RoomHome home, DataForm.Builder form) {
    List<String> hashes = home.avatarHashes();
    if (hashes == null) {
      Element vcard = stored(home.jid());
      hashes = vcard == null ? List.of() : hashes(vcard);
      hashes = hashes == null ? List.of() : hashes;
      home.setAvatarHashes(hashes);
    }
    if (!hashes.isEmpty()) {
      form.field("muc#roominfo_avatarhash", "text-multi", "Avatar hashes", hashes, Map.of());
    }
  }

  private @Nullable Element stored(Jid room) {
    byte[] vcard = store.get(room, KEY);
    try {
      return vcard == null ? null : XmlReader.read(vcard);
    } catch (XmlException e) {
      // The room is described without it: otherwise service discovery would fail.
      LOG.atError().addKeyValue("room", room).setCause(e).log("room_vcard_damaged");
      return null;
    }
  }

  /// Returns the SHA-1 hash of each avatar (XEP-0153, section 4.1), or null if one is not valid
  /// base64.
  private static @Nullable List<String> hashes(Element vcard) {
    List<String> hashes = new ArrayList<>();
    for (Element photo : vcard.children()) {
      Element data = photo.is(NAMESPACE, "PHOTO") ? photo.child("BINVAL") : null;
      if (data == null || data.text().isBlank()) {
        continue;
      }
      try {
        byte[] picture = Base64.getDecoder().decode(data.text().replaceAll("\\s", ""));
        hashes.add(HashFunction.SHA_1.hex(picture));
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
    return hashes;
  }
}
