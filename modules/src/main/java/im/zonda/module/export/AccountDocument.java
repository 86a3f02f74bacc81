package im.zonda.module.export;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.privatexml.PrivateXmlModule;
import im.zonda.module.upload.UploadModule;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.store.StanzaIds;
import im.zonda.store.UploadStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlReader;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The document of one account (XEP-0227, section 4). Reads in portions of bounded size. Blocks.
final class AccountDocument {
  private static final Logger LOG = LoggerFactory.getLogger(AccountDocument.class);
  private static final String PIE = "urn:xmpp:pie:0";
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String OWNER = PUBSUB + "#owner";
  private static final String MAM = "urn:xmpp:mam:2";

  /// The element for what the XEP does not cover; others ignore it (section 4).
  static final String OWN = "urn:zonda:export:0";

  private static final QName FORM = new QName("jabber:x:data", "x");
  private static final int PORTION = ArchivedMessages.PORTION;

  /// The most rooms that are listed.
  static final int MOST_ROOMS = 1_000;

  /// What the account's own clients may ask that is written as it is answered.
  private static final List<Element> ASKED =
      List.of(
          Element.of("vcard-temp", "vCard"),
          Element.of("urn:xmpp:blocking", "blocklist"),
          Element.of(MAM, "prefs"),
          Element.of("urn:xmpp:cam:0", "list"));

  private final ModuleContext context;
  private final Jid account;
  private final DocumentWriter out;
  private final OwnRequests requests;

  AccountDocument(ModuleContext context, Jid account, DocumentWriter out) {
    this.context = context;
    this.account = account;
    this.out = out;
    this.requests = new OwnRequests(context, account);
  }

  /// Writes all of it.
  ///
  /// @throws IOException if no one takes it
  void write(PrivateXmlModule privateXml, UploadModule uploads) throws IOException {
    out.begin("server-data", PIE);
    out.begin("host", PIE, "jid", account.domain());
    writeUser(privateXml, uploads);
    out.end();
    out.end();
    out.flush();
  }

  /// Writes the part that is about the account alone.
  ///
  /// @throws IOException if no one takes it
  void writeUser(PrivateXmlModule privateXml, UploadModule uploads) throws IOException {
    out.begin("user", PIE, "name", String.valueOf(account.local()));
    roster();
    for (Element question : ASKED) {
      Element answer = requests.get(question);
      if (answer != null) {
        out.write(answer);
      }
    }
    List<Element> kept = privateXml.findAll(account);
    if (!kept.isEmpty()) {
      out.write(Element.builder("jabber:iq:private", "query").children(kept).build());
    }
    nodes();
    files(uploads);
    rooms();
    waiting();
    archive();
    out.end();
    out.flush();
  }

  private void roster() throws IOException {
    Element roster = requests.get(Element.of("jabber:iq:roster", "query"));
    if (roster != null) {
      out.write(roster.toBuilder().withoutAttribute(new QName("", "ver")).build());
    }
    for (RosterItem item : context.port(RosterStore.class).load(account).items()) {
      Presence request = item.request();
      if (request != null) {
        out.write(request.toElement());
      }
    }
  }

  // ---- personal eventing (section 4.8)

  private void nodes() throws IOException {
    out.begin("pubsub", OWNER);
    Set<String> configured = new HashSet<>();
    String last = null;
    for (List<String> page = names(null); !page.isEmpty(); page = names(last)) {
      for (String name : page) {
        last = name;
        if (configure(name)) {
          configured.add(name);
        }
      }
    }
    out.end();
    out.begin("pubsub", PUBSUB);
    last = null;
    for (List<String> page = names(null); !page.isEmpty(); page = names(last)) {
      for (String name : page) {
        last = name;
        if (configured.contains(name)) {
          items(name);
        }
      }
    }
    out.end();
  }

  private List<String> names(@Nullable String after) {
    return context.port(PubSubStore.class).list(account, after, PORTION);
  }

  /// Writes what the owner is answered about the node; false if its configuration is not told.
  private boolean configure(String node) throws IOException {
    boolean told = false;
    for (String what : List.of("configure", "affiliations", "subscriptions")) {
      Element question = Element.builder(OWNER, what).attribute("node", node).build();
      Element answer = requests.get(Element.builder(OWNER, "pubsub").child(question).build());
      Element part = answer == null ? null : answer.child(new QName(OWNER, what));
      if (part != null && (what.equals("configure") || !part.children().isEmpty())) {
        told = told || what.equals("configure");
        out.write(values(part));
      }
      if (!told) {
        return false;
      }
    }
    return true;
  }

  /// A form without what is only for people who fill it in: labels, options, empty fields.
  private static Element values(Element part) {
    Element asked = part.child(FORM);
    if (asked == null) {
      return part;
    }
    Element.Builder form = Element.builder(FORM).attribute("type", "form");
    for (Element field : asked.children()) {
      List<Element> values =
          field.children().stream().filter(each -> each.name().name().equals("value")).toList();
      if (!values.isEmpty()) {
        form.child(
            Element.builder(field.name())
                .attribute("var", field.attribute("var"))
                .attribute("type", field.attribute("type"))
                .children(values)
                .build());
      }
    }
    return Element.builder(part.name())
        .attribute("node", part.attribute("node"))
        .child(form.build())
        .build();
  }

  private void items(String node) throws IOException {
    PubSubStore store = context.port(PubSubStore.class);
    out.begin("items", PUBSUB, "node", node);
    String last = null;
    while (true) {
      PubSubStore.Page page =
          store.page(account, node, PubSubStore.Order.CREATION, last, false, PORTION);
      if (page == null || page.items().isEmpty()) {
        break; // the end, or the last one was removed meanwhile
      }
      for (PubSubStore.Item item : page.items()) {
        last = item.id();
        out.write(element(item));
      }
    }
    out.end();
  }

  private Element element(PubSubStore.Item item) {
    Element.Builder element = Element.builder(PUBSUB, "item").attribute("id", item.id());
    try {
      if (item.payload().length > 0) {
        element.child(XmlReader.read(item.payload()));
      }
    } catch (XmlException e) {
      LOG.atError().addKeyValue("account", account).setCause(e).log("item_damaged");
    }
    return element.build();
  }

  // ---- files

  private void files(UploadModule uploads) throws IOException {
    UploadStore store = context.port(UploadStore.class);
    out.begin("files", OWN);
    Instant since = Instant.EPOCH;
    Set<String> written = new HashSet<>(); // of those that were uploaded at that time
    int limit = PORTION;
    while (true) {
      List<UploadStore.Upload> page = store.list(account, since, limit);
      boolean more = false;
      for (UploadStore.Upload file : page) {
        if (!file.created().equals(since)) {
          since = file.created();
          written.clear();
        }
        if (written.add(file.slot())) {
          more = true;
          out.write(element(file, uploads.url(file)));
        }
      }
      if (page.size() < limit) {
        break;
      }
      limit = more ? PORTION : limit * 2; // more than a page at the same time
    }
    out.end();
  }

  private static Element element(UploadStore.Upload file, @Nullable String url) {
    Instant expires = file.expires();
    return Element.builder(OWN, "file")
        .attribute("name", file.name())
        .attribute("type", file.type())
        .attribute("size", Long.toString(file.size()))
        .attribute("uploaded", ArchivedMessages.stamp(file.created()))
        .attribute("expires", expires == null ? null : ArchivedMessages.stamp(expires))
        .attribute("url", url)
        .build();
  }

  /// What the account is in rooms of this server, at most [#MOST_ROOMS].
  private void rooms() throws IOException {
    RoomStore store = context.port(RoomStore.class);
    out.begin("rooms", OWN);
    for (Jid room : store.affiliatedRooms(account, MOST_ROOMS)) {
      RoomStore.Stored stored = store.find(room);
      for (RoomStore.Affiliation each :
          stored == null ? List.<RoomStore.Affiliation>of() : stored.affiliations()) {
        if (each.user().equals(account)) {
          out.write(
              Element.builder(OWN, "room")
                  .attribute("jid", room.toString())
                  .attribute("affiliation", each.affiliation())
                  .attribute("nick", each.nick())
                  .build());
        }
      }
    }
    out.end();
  }

  // ---- messages (sections 4.5 and 4.9)

  private void waiting() throws IOException {
    MessageLog log = context.port(MessageLog.class);
    out.begin("offline-messages", PIE);
    long last = Long.MIN_VALUE;
    while (true) {
      List<MessageLog.Entry> page =
          log.waiting(account, last, PORTION, ArchivedMessages.PORTION_BYTES);
      if (page.isEmpty()) {
        break;
      }
      for (MessageLog.Entry entry : page) {
        last = entry.id();
        Message message = entry.message();
        out.write(
            (message.has(ArchivedMessages.DELAY)
                    ? message
                    : message.withPayload(ArchivedMessages.delay(entry)))
                .toElement());
      }
    }
    out.end();
  }

  private void archive() throws IOException {
    new ArchivedMessages(context.port(MessageArchive.class), context.port(StanzaIds.class))
        .write(account, out);
  }
}
