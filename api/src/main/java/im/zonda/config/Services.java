package im.zonda.config;

import im.zonda.config.annotation.Setting;
import im.zonda.config.copy.RecordCopy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Further services of a virtual host.
public record Services(
    @Setting("push notifications (XEP-0357)") Push push,
    @Setting(
            "services outside of XMPP that the host's users learn of (XEP-0215), each by a name of"
                + " your own; they may be changed while the server runs")
        Map<String, ExternalService> external,
    @Setting("search for users of the host (XEP-0055)") Search search,
    @Setting("administration by ad-hoc commands (XEP-0133)") Administration administration,
    @Setting("contact addresses by purpose (XEP-0157)") ContactAddresses contacts,
    @Setting("publish-subscribe service (XEP-0060)") PubSub pubsub,
    @Setting("invitations (XEP-0401)") Invitations invitations,
    @Setting("what is published about the users' data (XEP-0504), if a key is set")
        DataPolicy dataPolicy,
    @Setting("pages for people, and the chat in the browser") Web web,
    @Setting("files that accounts upload by HTTP (XEP-0363)") Uploads uploads,
    @Setting("people who enter without an account (XEP-0175)") Guests guests,
    @Setting("how clients and other servers find the host (XEP-0487)") HostMeta hostMeta) {
  /// The defaults.
  public static final Services DEFAULTS = new Services(Push.DEFAULTS, Map.of(), Search.DEFAULTS);

  /// Services with the defaults of the others.
  public Services(Push push, Map<String, ExternalService> external, Search search) {
    this(
        push,
        external,
        search,
        Administration.DEFAULTS,
        ContactAddresses.DEFAULTS,
        PubSub.DEFAULTS,
        Invitations.DEFAULTS,
        DataPolicy.DEFAULTS,
        Web.DEFAULTS,
        Uploads.DEFAULTS,
        Guests.DEFAULTS,
        HostMeta.DEFAULTS);
  }

  /// The same with another publish-subscribe service.
  public Services with(PubSub changed) {
    return RecordCopy.with(this, "pubsub", changed);
  }

  /// The same with other administration.
  public Services with(Administration changed) {
    return RecordCopy.with(this, "administration", changed);
  }

  /// The same with other invitations.
  public Services with(Invitations changed) {
    return RecordCopy.with(this, "invitations", changed);
  }

  /// The same with another data policy.
  public Services with(DataPolicy changed) {
    return RecordCopy.with(this, "dataPolicy", changed);
  }

  /// The same with other uploads.
  public Services with(Uploads changed) {
    return RecordCopy.with(this, "uploads", changed);
  }

  /// The same with other rules for guests.
  public Services with(Guests changed) {
    return RecordCopy.with(this, "guests", changed);
  }

  /// The same with another way to find the host.
  public Services with(HostMeta changed) {
    return RecordCopy.with(this, "hostMeta", changed);
  }

  /// The same with other pages.
  public Services with(Web changed) {
    return RecordCopy.with(this, "web", changed);
  }

  /// Copies the map.
  public Services {
    external = Map.copyOf(external);
  }

  /// Push notifications.
  public record Push(
      @Setting(
              "what a push service learns of the messages: nothing, their number, also the last"
                  + " sender, or also the text of the last message")
          Content content) {
    /// Only the number of messages.
    public static final Push DEFAULTS = new Push(Content.COUNT);

    /// How much of the messages the notifications contain (XEP-0357, section 9). Each contains what
    /// the one before does.
    public enum Content {
      NONE,
      COUNT,
      SENDER,
      BODY
    }
  }

  /// Search for users, by the accounts of the host only.
  public record Search(
      @Setting(
              "which users are found: none (\"off\"); those whose vCard says that it is public, by"
                  + " `<CLASS><PUBLIC/></CLASS>` (\"opted-in\"); or also those whose vCard has no"
                  + " class (\"all\"). Users with a private or confidential vCard never are")
          Users users,
      @Setting("what is searched and shown of them: any of `first`, `last`, `nick`, `email`")
          List<String> fields,
      @Setting("prefix of the domain of the search: `search` gives `search.example.org`")
          String prefix,
      @Setting(value = "maximum number of users in one result", min = 1, max = 500) int results) {
    /// No search.
    public static final Search DEFAULTS =
        new Search(Users.OFF, List.of("first", "last", "nick"), "search", 50);

    /// Copies the list.
    public Search {
      fields = List.copyOf(fields);
    }

    /// Which users are found.
    public enum Users {
      OFF,
      OPTED_IN,
      ALL
    }

    /// Whether anyone is found.
    public boolean isOn() {
      return users != Users.OFF;
    }
  }

  /// Invitations: links by which someone becomes a contact of an account, or registers one.
  public record Invitations(
      @Setting("who may make a link that adds the user as a contact: nobody, admins or everyone")
          Inviters contacts,
      @Setting(
              "who may make a link that lets someone create an account, also while in-band"
                  + " registration is off: nobody, admins or everyone; unless it is nobody, `zonda"
                  + " invite` makes them too, and links of those who may are also valid for a new"
                  + " account when they add a contact")
          Inviters accounts,
      @Setting(value = "time for which a link is valid", min = 60_000, max = 31_622_400_000L)
          Duration time,
      @Setting(
              value =
                  "URL of the page that explains a link to people without a client, such as"
                      + " `https://example.org/invite/`; `#` and the token are appended. Without"
                      + " it, the server's own page is named if HTTP is on",
              form = Setting.Form.URI)
          @Nullable String landingPage) {
    /// Contacts may be invited, and nobody creates an account by a link.
    public static final Invitations DEFAULTS =
        new Invitations(Inviters.EVERYONE, Inviters.NOBODY, Duration.ofDays(7), null);

    /// Who may make links. Each contains those before.
    public enum Inviters {
      NOBODY,
      ADMINS,
      EVERYONE
    }
  }

  /// How clients and other servers find a virtual host by one file, `host-meta.json` (XEP-0487), in
  /// place of DNS records.
  public record HostMeta(
      @Setting(
              "public IP addresses at which the host is reached. With them `host-meta.json` lists"
                  + " every way to connect, and those who read it skip DNS records; without them it"
                  + " lists those for browsers only (XEP-0156)")
          List<String> addresses,
      @Setting(
              value = "public port at which clients connect with direct TLS; 0 is none",
              max = 65_535)
          int tlsPort,
      @Setting(
              value = "public port at which other servers connect with direct TLS; 0 is none",
              max = 65_535)
          int serverTlsPort,
      @Setting(value = "time for which the file may be kept", min = 60_000, max = 604_800_000)
          Duration ttl) {
    /// Nothing but what XEP-0156 lists.
    public static final HostMeta DEFAULTS = new HostMeta(List.of(), 0, 0, Duration.ofHours(1));

    /// Copies the list.
    public HostMeta {
      addresses = List.copyOf(addresses);
    }

    /// Whether the file takes the place of DNS records.
    public boolean isOn() {
      return !addresses.isEmpty();
    }
  }
}
