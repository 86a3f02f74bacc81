package im.zonda.config.component;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.util.List;

/// The permissions of an external component to act for the accounts of a host (XEP-0356).
public record ComponentPrivilege(
    @Setting(
            value =
                "hosts of this server whose accounts the component manages; empty is the host that"
                    + " its domain is below",
            form = Form.DOMAIN)
        List<String> hosts,
    @Setting("requests for the rosters of accounts that the component may send") Access roster,
    @Setting(
            "whether the component gets roster pushes of all accounts; only with `roster` \"get\""
                + " or \"both\"")
        boolean rosterPush,
    @Setting("whether the component may send messages in the name of accounts and of the host")
        Messages message,
    @Setting(
            "presence that the component gets: none, that of accounts, or also that of the contacts"
                + " in their rosters, for which `roster` must be \"get\" or \"both\"")
        PresenceOf presence,
    @Setting("namespaces of IQ requests of type `get` that the component may send for accounts")
        List<String> iqGet,
    @Setting("namespaces of IQ requests of type `set` that the component may send for accounts")
        List<String> iqSet) {
  /// Nothing is permitted.
  public static final ComponentPrivilege NONE =
      new ComponentPrivilege(
          List.of(), Access.NONE, true, Messages.NONE, PresenceOf.NONE, List.of(), List.of());

  /// Types of requests (XEP-0356, section 4.1).
  public enum Access {
    NONE,
    GET,
    SET,
    BOTH;

    /// The types with these.
    public static Access of(boolean get, boolean set) {
      return get ? (set ? BOTH : GET) : set ? SET : NONE;
    }

    /// Whether requests of type `get` are permitted.
    public boolean get() {
      return this == GET || this == BOTH;
    }

    /// Whether requests of type `set` are permitted.
    public boolean set() {
      return this == SET || this == BOTH;
    }
  }

  /// Messages in the name of others (XEP-0356, section 5.1).
  public enum Messages {
    NONE,
    OUTGOING
  }

  /// Whose presence a component gets (XEP-0356, section 7).
  public enum PresenceOf {
    NONE,
    MANAGED_ENTITY,
    ROSTER
  }

  /// Copies the lists.
  public ComponentPrivilege {
    hosts = List.copyOf(hosts);
    iqGet = List.copyOf(iqGet);
    iqSet = List.copyOf(iqSet);
  }

  /// Whether the component with that domain manages the accounts of a host.
  boolean covers(String component, String host) {
    return Components.covers(hosts, component, host);
  }

  /// Whether the component gets roster pushes (section 4.1).
  public boolean getsPushes() {
    return rosterPush && roster.get();
  }

  /// The types of IQ requests in that namespace that the component may send for accounts.
  public Access iq(String namespace) {
    return Access.of(iqGet.contains(namespace), iqSet.contains(namespace));
  }
}
