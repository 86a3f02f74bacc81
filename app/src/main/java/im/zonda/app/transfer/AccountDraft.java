package im.zonda.app.transfer;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.store.RosterItem;
import im.zonda.store.ScramKeys;
import im.zonda.store.Subscription;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An account while it is read. What is not valid is left out and reported; the rest stays.
public final class AccountDraft {
  private static final String CLIENT = "jabber:client";
  private static final int MAX_SALT = 1_024;
  private static final int MAX_TEXT = 1_023;
  private static final int MAX_GROUPS = 100;

  private final Jid jid;
  private final String origin;
  private final ImportSource.Receiver receiver;
  private final Map<Jid, RosterItem> roster = new LinkedHashMap<>();
  private final Set<Jid> blocked = new LinkedHashSet<>();
  private final List<Element> privateXml = new ArrayList<>();
  private final Map<String, ImportedNode> nodes = new LinkedHashMap<>();
  private final Map<String, ScramKeys> keys = new LinkedHashMap<>();
  private String unusable = "the source has no password";
  private @Nullable String password;
  private boolean disabled;
  private @Nullable Instant created;
  private @Nullable Element vcard;
  private long bytes;

  /// Begins an account.
  ///
  /// @param origin where it was found
  /// @param receiver gets what is left out
  public AccountDraft(Jid jid, String origin, ImportSource.Receiver receiver) {
    this.jid = jid;
    this.origin = origin;
    this.receiver = receiver;
  }

  /// The address of the account.
  public Jid jid() {
    return jid;
  }

  /// Reports something of the account that is left out.
  public void omit(String what, String why) {
    receiver.omit(new Omission(origin, what + " of " + jid, why));
  }

  /// Sets the password itself.
  public void password(String text) {
    password = text;
  }

  /// Adds the keys of the password for one hash.
  ///
  /// @param hash `SHA-1`, `SHA-256` or `SHA-512`
  public void keys(String hash, byte[] salt, long iterations, byte[] stored, byte[] server) {
    int length =
        switch (hash) {
          case "SHA-1" -> 20;
          case "SHA-256" -> 32;
          case "SHA-512" -> 64;
          default -> 0;
        };
    if (length == 0) {
      unusableKeys("keys of " + hash + ", which this server does not know");
    } else if (stored.length != length || server.length != length) {
      unusableKeys("its keys of " + hash + " do not have " + length + " bytes");
    } else if (salt.length == 0 || salt.length > MAX_SALT) {
      unusableKeys("the salt of its keys is empty or too long");
    } else if (iterations < 1 || iterations > ImportBounds.ITERATIONS) {
      unusableKeys("the iteration count of its keys is not from 1 to " + ImportBounds.ITERATIONS);
    } else {
      keys.put(hash, new ScramKeys(hash, salt, (int) iterations, stored, server));
    }
  }

  /// Records why the password cannot be used, if no other form of it can.
  public void unusableKeys(String why) {
    unusable = why;
  }

  /// Lets nobody log in.
  public void disable() {
    disabled = true;
  }

  /// Sets when the account was created.
  public void created(@Nullable Instant time) {
    created = time;
  }

  /// Adds a contact.
  ///
  /// @param subscription `none`, `to`, `from` or `both`; null is none
  /// @param ask whether the account's request is pending
  /// @param approved whether a request of the contact is approved in advance
  public void contact(
      String address,
      @Nullable String name,
      @Nullable String subscription,
      boolean ask,
      boolean approved,
      List<String> groups) {
    Jid contact = address(address, "a contact");
    if (contact == null) {
      return;
    }
    Subscription state =
        switch (subscription) {
          case "none" -> Subscription.NONE;
          case "to" -> Subscription.TO;
          case "from" -> Subscription.FROM;
          case "both" -> Subscription.BOTH;
          case null -> Subscription.NONE;
          default -> null;
        };
    if (state == null) {
      omit("the contact " + contact, "its subscription is \"" + subscription + "\"");
      return;
    }
    Set<String> distinct = new LinkedHashSet<>();
    for (String group : groups) {
      if (group.isEmpty() || group.length() > MAX_TEXT || distinct.size() >= MAX_GROUPS) {
        omit("a group of the contact " + contact, "its name is empty or too long, or too many");
      } else {
        distinct.add(group);
      }
    }
    RosterItem before = roster.get(contact);
    boolean longName = name != null && name.length() > MAX_TEXT;
    if (longName) {
      omit("the name of the contact " + contact, "it is too long");
    }
    roster.put(
        contact,
        new RosterItem(
            contact,
            longName || name == null || name.isEmpty() ? null : name,
            state,
            ask && !state.to(),
            approved,
            List.copyOf(distinct),
            before == null || state.from() ? null : before.request(),
            true));
  }

  /// Adds a contact as in a roster (RFC 6121, section 2.1.2).
  public void contact(Element item) {
    List<String> groups = new ArrayList<>();
    for (Element child : item.children()) {
      if (child.name().name().equals("group")) {
        groups.add(child.text());
      }
    }
    String approved = item.attribute("approved");
    contact(
        text(item.attribute("jid")),
        item.attribute("name"),
        item.attribute("subscription"),
        "subscribe".equals(item.attribute("ask")),
        "true".equals(approved) || "1".equals(approved),
        groups);
  }

  /// Adds a request of someone who wants to be a contact, which the user has not answered.
  ///
  /// @param stanza the request as it was received, or null
  public void request(String address, @Nullable Element stanza) {
    Jid contact = address(address, "a contact request");
    if (contact == null) {
      return;
    }
    Presence request = presence(contact, stanza);
    RosterItem before = roster.get(contact);
    if (before == null) {
      roster.put(
          contact,
          new RosterItem(
              contact, null, Subscription.NONE, false, false, List.of(), request, false));
    } else if (!before.subscription().from()) {
      roster.put(
          contact,
          new RosterItem(
              contact,
              before.name(),
              before.subscription(),
              before.ask(),
              before.approved(),
              before.groups(),
              request,
              before.listed()));
    }
  }

  private Presence presence(Jid contact, @Nullable Element stanza) {
    List<Element> payloads = List.of();
    String id = null;
    if (stanza != null && stanza.is(CLIENT, "presence")) {
      try {
        Stanza parsed = Stanza.of(stanza);
        payloads = parsed.payloads();
        id = parsed.id();
      } catch (StanzaFormatException e) {
        omit("the text of the contact request of " + contact, "it is not a valid stanza");
      }
    }
    return Presence.of(Presence.Type.SUBSCRIBE, contact, jid, id, payloads);
  }

  /// Adds a blocked address.
  public void block(String address) {
    Jid jidToBlock = address(address, "a blocked address", false);
    if (jidToBlock != null) {
      blocked.add(jidToBlock);
    }
  }

  /// Sets the vCard.
  public void vcard(Element element) throws BadRecordException {
    charge(element.toString().length());
    if (!element.nodes().isEmpty()) {
      vcard = element;
    }
  }

  /// Adds private XML.
  public void privateXml(Element element) throws BadRecordException {
    charge(element.toString().length());
    if (!element.nodes().isEmpty() || !element.attributes().isEmpty()) {
      privateXml.add(element);
    }
  }

  /// Adds a node.
  public void node(ImportedNode node) {
    nodes.put(node.name(), node);
  }

  /// Counts what is in memory.
  ///
  /// @throws BadRecordException if that is too much for one account
  public void charge(long more) throws BadRecordException {
    bytes += more;
    if (bytes > ImportBounds.ACCOUNT_BYTES
        || roster.size() + blocked.size() + privateXml.size() > ImportBounds.ENTRIES) {
      throw new BadRecordException(
          "the data of this account is larger than "
              + (ImportBounds.ACCOUNT_BYTES >> 20)
              + " MiB or has more than "
              + ImportBounds.ENTRIES
              + " entries");
    }
  }

  /// The bare form of an address in the data of the account; null if it is not valid, which is
  /// reported.
  public @Nullable Jid address(String text, String what) {
    return address(text, what, true);
  }

  private @Nullable Jid address(String text, String what, boolean bare) {
    try {
      Jid parsed = Jid.of(text);
      return bare ? parsed.bare() : parsed;
    } catch (JidFormatException e) {
      omit(what, "\"" + text + "\" is not an address");
      return null;
    }
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  /// The account.
  public ImportedAccount build() {
    String plain = password;
    Credentials credentials =
        !keys.isEmpty()
            ? new Credentials.Keys(List.copyOf(keys.values()))
            : plain != null ? new Credentials.Password(plain) : new Credentials.None(unusable);
    return new ImportedAccount(
        jid,
        origin,
        credentials,
        disabled,
        created,
        List.copyOf(roster.values()),
        vcard,
        privateXml,
        List.copyOf(blocked),
        List.copyOf(nodes.values()));
  }
}
