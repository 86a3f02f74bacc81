package im.zonda.app.transfer.portable;

import im.zonda.app.transfer.AccountDraft;
import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.NodeDrafts;
import im.zonda.app.transfer.PrivacyLists;
import im.zonda.jid.Jid;
import im.zonda.xml.Element;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads the accounts of a document without their messages.
final class AccountPass implements UserPass {
  private static final String SCRAM = "urn:xmpp:pie:0#scram";
  private static final String ARCHIVE = "urn:xmpp:pie:0#mam";
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String OWN = "urn:zonda:export:0";
  private static final String MECHANISM = "SCRAM-";
  private static final String OLD_KEYS = "scram:";
  private static final int ENTRY_BYTES = 100;

  /// The lengths of keys in Base64.
  private static final int BASE64_OF_SHA_1 = 28;

  private static final int BASE64_OF_SHA_256 = 44;
  private static final int BASE64_OF_SHA_512 = 88;

  private final ImportSource.Receiver receiver;
  private final InstantSource clock;
  private @Nullable AccountDraft draft;
  private @Nullable NodeDrafts nodes;

  AccountPass(ImportSource.Receiver receiver, InstantSource clock) {
    this.receiver = receiver;
    this.clock = clock;
  }

  @Override
  public boolean begin(Jid account, XmlFile file) {
    AccountDraft begun = new AccountDraft(account, file.where(), receiver);
    draft = begun;
    nodes = new NodeDrafts(begun, clock.instant());
    String password = file.attribute("password");
    if (password != null && password.startsWith(OLD_KEYS)) {
      oldKeys(begun, password);
    } else if (password != null && password.equals(file.attribute("name"))) {
      begun.unusableKeys("its password is its name, which Openfire writes if it has only keys");
    } else if (password != null && !password.isEmpty()) {
      begun.password(password);
    }
    return true;
  }

  /// As old versions of ejabberd write them: `scram:STORED,SERVER,SALT,ITERATIONS`, where the name
  /// of a hash other than SHA-1 comes first.
  private static void oldKeys(AccountDraft draft, String text) {
    String[] parts = text.substring(OLD_KEYS.length()).split(",", -1);
    int keys = parts.length - 4;
    try {
      if (keys == 0 || keys == 1) {
        draft.keys(
            keys == 0 ? "SHA-1" : parts[0].toUpperCase(Locale.ROOT).replace("SHA", "SHA-"),
            base64(parts[keys + 2]),
            Long.parseLong(parts[keys + 3].strip()),
            base64(parts[keys]),
            base64(parts[keys + 1]));
        return;
      }
    } catch (IllegalArgumentException e) {
      // Reported below, as keys with too few parts are.
    }
    draft.unusableKeys("its password begins with scram: but has no keys");
  }

  private static byte[] base64(String text) {
    return Base64.getDecoder().decode(text.strip());
  }

  @Override
  public void child(XmlFile file) throws IOException, BadRecordException {
    AccountDraft account = draft;
    NodeDrafts itsNodes = nodes;
    boolean messages =
        (PortableSource.isOfFormat(file) && file.name().equals("offline-messages"))
            || file.namespace().equals(ARCHIVE);
    if (account == null || itsNodes == null || messages) {
      file.skip();
      return;
    }
    String name = file.name();
    Element element;
    try {
      element = file.element();
    } catch (BadRecordException e) {
      account.omit("<" + name + "/>", String.valueOf(e.getMessage()));
      return;
    }
    take(account, itsNodes, element);
  }

  private static void take(AccountDraft account, NodeDrafts nodes, Element element)
      throws BadRecordException {
    String name = element.name().name();
    switch (element.name().namespace()) {
      case SCRAM -> scram(account, element);
      case "jabber:iq:roster" -> {
        for (Element item : element.children()) {
          account.charge(ENTRY_BYTES);
          account.contact(item);
        }
      }
      case "jabber:client" -> {
        if (name.equals("presence") && "subscribe".equals(element.attribute("type"))) {
          account.request(String.valueOf(element.attribute("from")), element);
        } else {
          account.omit("<" + name + "/>", "not a contact request");
        }
      }
      case "vcard-temp" -> account.vcard(element);
      case "jabber:iq:private" -> {
        for (Element each : element.children()) {
          account.privateXml(each);
        }
      }
      case "jabber:iq:privacy" -> PrivacyLists.addTo(account, element);
      case "urn:xmpp:blocking" -> {
        for (Element each : element.children()) {
          account.charge(ENTRY_BYTES);
          account.block(String.valueOf(each.attribute("jid")));
        }
      }
      case PUBSUB, PUBSUB + "#owner" -> nodes.add(element);
      case OWN -> {
        if (name.equals("files") && !element.children().isEmpty()) {
          account.omit(
              element.children().size() + " uploaded files", "the document has no contents");
        }
      }
      case "urn:xmpp:mam:2" -> {
        boolean lists = element.children().stream().anyMatch(each -> !each.children().isEmpty());
        if (lists || !"always".equals(element.attribute("default"))) {
          account.omit("the archive's preferences", "set them again with a client");
        }
      }
      case "urn:xmpp:cam:0" -> {
        // Known clients: this server learns them at their first login.
      }
      default -> account.omit("<" + name + "/>", "unknown in " + element.name().namespace());
    }
  }

  private static void scram(AccountDraft account, Element element) {
    String mechanism = String.valueOf(element.attribute("mechanism"));
    try {
      String hash =
          mechanism.startsWith(MECHANISM) ? mechanism.substring(MECHANISM.length()) : mechanism;
      byte[] salt = base64(text(element, "salt"));
      byte[] stored = base64(text(element, "stored-key"));
      byte[] server = base64(text(element, "server-key"));
      if (isBase64(stored) && isBase64(server)) {
        // ejabberd 23.01 encodes twice.
        salt = Base64.getDecoder().decode(salt);
        stored = Base64.getDecoder().decode(stored);
        server = Base64.getDecoder().decode(server);
      }
      account.keys(hash, salt, Long.parseLong(text(element, "iter-count").strip()), stored, server);
    } catch (IllegalArgumentException e) {
      account.unusableKeys("its keys for " + mechanism + " are damaged");
    }
  }

  /// Whether a key is in fact the text of one: no hash has such a length.
  private static boolean isBase64(byte[] key) {
    return key.length == BASE64_OF_SHA_1
        || key.length == BASE64_OF_SHA_256
        || key.length == BASE64_OF_SHA_512;
  }

  private static String text(Element element, String name) {
    Element child = element.child(name);
    return child == null ? "" : child.text();
  }

  @Override
  public void end() {
    AccountDraft account = draft;
    NodeDrafts itsNodes = nodes;
    if (account != null && itsNodes != null) {
      itsNodes.finish();
      receiver.account(account.build());
    }
    abandon();
  }

  @Override
  public void abandon() {
    draft = null;
    nodes = null;
  }
}
