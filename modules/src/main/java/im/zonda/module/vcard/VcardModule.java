package im.zonda.module.vcard;

import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.session.Home;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.KeyValueStore;
import im.zonda.store.ValueKey;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.XmlReader;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores one vCard per account. Everyone may read it, only the owner may change it; an empty vCard
/// removes it.
///
/// To others, an account without a vCard looks like one that does not exist (XEP-0054, section
/// 3.3). The content is not checked: those who display it must not trust it.
@Xep(number = 54, version = "1.3.0", title = "vcard-temp")
public final class VcardModule implements XmppModule {
  private static final Logger LOG = LoggerFactory.getLogger(VcardModule.class);

  /// The name of the key-value store.
  public static final String STORE = "vcard";

  private static final String NAMESPACE = "vcard-temp";
  private static final QName VCARD = new QName(NAMESPACE, "vCard");
  private static final String KEY = "vcard";

  /// Keeps the photos of vCards elsewhere. Called at the account's home; may block.
  public interface Photos {
    /// A vCard as that user gets it.
    ///
    /// @param vcard the vCard as it is stored, or null
    /// @return null if there is nothing that the user may have
    @Nullable Element shown(Home home, Jid user, @Nullable Element vcard);

    /// Takes the photo out of a vCard that the owner sets.
    ///
    /// @param vcard the vCard; null if it is removed
    Taken take(Home home, @Nullable Element vcard);

    /// What has become of a photo.
    sealed interface Taken {
      /// It is kept elsewhere, or there is none; the vCard is stored as it is here.
      record Rest(@Nullable Element vcard) implements Taken {}

      /// The request is rejected.
      record Refused(IqReply reply) implements Taken {}
    }
  }

  private volatile @Nullable Photos photos;
  private volatile @Nullable BiConsumer<Jid, @Nullable Element> listener;
  private volatile @Nullable KeyValueStore vcards;

  @Override
  public String name() {
    return "vcard";
  }

  @Override
  public Ports ports() {
    return Ports.NONE.withKeyValues(STORE);
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise(NAMESPACE);
    context.advertiseForAccounts(NAMESPACE);
    KeyValueStore store = context.keyValues(STORE);
    vcards = store;
    IntSupplier most = () -> context.config().limits().vcardBytes();
    context.onIq(
        Iq.Type.GET,
        VCARD,
        Addressee.OWN_ACCOUNT,
        request -> get(request, store, ErrorCondition.ITEM_NOT_FOUND));
    context.onIq(
        Iq.Type.GET,
        VCARD,
        Addressee.OTHER_ACCOUNT,
        request -> get(request, store, ErrorCondition.SERVICE_UNAVAILABLE));
    context.onIq(
        Iq.Type.SET, VCARD, Addressee.OWN_ACCOUNT, request -> set(request, store, most.getAsInt()));
    context.onIq(
        Iq.Type.SET,
        VCARD,
        Addressee.OTHER_ACCOUNT,
        request -> IqReply.refuse(ErrorCondition.FORBIDDEN));
  }

  /// Sets who learns of vCards that were changed; the vCard is null if it was removed. It is called
  /// at the account's home after the vCard has been stored, and may block. Null for nobody.
  public void onChange(@Nullable BiConsumer<Jid, @Nullable Element> newListener) {
    listener = newListener;
  }

  /// Sets who keeps the photos; null for nobody.
  public void keepPhotos(@Nullable Photos newPhotos) {
    photos = newPhotos;
  }

  /// Whether accounts have vCards.
  public boolean isOn() {
    return vcards != null;
  }

  /// Stores a vCard in place of the one that is stored. Blocks.
  public void replace(Jid account, Element vcard) {
    KeyValueStore store = vcards;
    if (store != null) {
      store.put(account, KEY, bytes(vcard));
    }
  }

  /// Stores the vCard of an account while no server runs. Blocks.
  ///
  /// @param vcards the store named [#STORE]
  /// @param most the maximum size, in bytes
  /// @return why it is not stored, or null
  public static @Nullable String store(KeyValueStore vcards, Jid account, Element vcard, int most) {
    byte[] bytes = bytes(vcard);
    if (!vcard.name().equals(VCARD) || bytes.length > most) {
      return "not a vCard of at most " + most + " bytes (limits.vcard-bytes)";
    }
    vcards.put(account, KEY, bytes);
    return null;
  }

  /// What is stored for a new account that has a vCard, and where.
  ///
  /// @param most the maximum size, in bytes
  /// @throws IllegalArgumentException if it is not a vCard, or too large
  public static Map.Entry<ValueKey, byte[]> storedWith(Jid account, Element vcard, int most) {
    byte[] bytes = bytes(vcard);
    if (!vcard.name().equals(VCARD) || bytes.length > most) {
      throw new IllegalArgumentException(
          "not a vCard of at most " + most + " bytes (limits.vcard-bytes): " + account);
    }
    return Map.entry(new ValueKey(STORE, account, KEY), bytes);
  }

  private static byte[] bytes(Element vcard) {
    ByteArraySink bytes = new ByteArraySink(1_024);
    XmlWriter.write(vcard, "", bytes);
    return bytes.toByteArray();
  }

  @Override
  public void stop() {
    vcards = null;
  }

  private void changed(Jid account, @Nullable Element vcard) {
    BiConsumer<Jid, @Nullable Element> present = listener;
    if (present != null) {
      present.accept(account, vcard);
    }
  }

  /// The vCard of an account, or null if it has none. Blocks.
  public @Nullable Element find(Jid account) {
    KeyValueStore store = vcards;
    byte[] vcard = store == null ? null : store.get(account, KEY);
    return vcard == null ? null : read(account, vcard);
  }

  /// Reads a stored vCard; null if it cannot be read, as if there were none.
  private static @Nullable Element read(Jid account, byte[] vcard) {
    try {
      return XmlReader.read(vcard);
    } catch (XmlException e) {
      LOG.atError().addKeyValue("account", account).setCause(e).log("vcard_damaged");
      return null;
    }
  }

  private IqReply get(IqRequest request, KeyValueStore store, ErrorCondition none) {
    byte[] stored = store.get(request.home().jid(), KEY);
    Element vcard = stored == null ? null : read(request.home().jid(), stored);
    Photos elsewhere = photos;
    Jid user = request.iq().from();
    if (elsewhere != null && user != null) {
      vcard = elsewhere.shown(request.home(), user, vcard);
    }
    return vcard == null ? IqReply.refuse(none) : IqReply.result(vcard);
  }

  private IqReply set(IqRequest request, KeyValueStore store, int most) {
    Element given = request.payload();
    Element vcard = given.nodes().isEmpty() ? null : given;
    if (vcard != null && bytes(vcard).length > most) {
      return IqReply.refuse(
          ErrorCondition.POLICY_VIOLATION, "A vCard may have at most " + most + " bytes.");
    }
    Photos elsewhere = photos;
    Element rest = vcard;
    if (elsewhere != null) {
      switch (elsewhere.take(request.home(), vcard)) {
        case Photos.Taken.Rest(Element without) -> rest = without;
        case Photos.Taken.Refused(IqReply reply) -> {
          return reply;
        }
      }
    }
    if (rest == null) {
      store.remove(request.home().jid(), KEY);
    } else {
      store.put(request.home().jid(), KEY, bytes(rest));
    }
    changed(request.home().jid(), vcard);
    return IqReply.empty();
  }
}
