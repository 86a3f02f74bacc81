package im.zonda.app.compliance;

import java.util.List;

/// The features that the suites want of servers (XEP-0479, sections 3 to 7). Those that are for
/// clients only are left out.
final class ComplianceSuites {
  /// A level of a suite.
  enum Level {
    /// Wanted of servers and of advanced servers.
    SERVER,
    /// Wanted of advanced servers only.
    ADVANCED
  }

  /// A row of a suite's table.
  ///
  /// @param suite the category
  /// @param level for whom it is
  /// @param providers the specifications that provide it, all of which are wanted, such as
  ///   `XEP-0030` or `RFC 6120`
  record Feature(String suite, Level level, String name, List<String> providers) {
    Feature(String suite, Level level, String name, String... providers) {
      this(suite, level, name, List.of(providers));
    }
  }

  /// The version of the text.
  static final String VERSION = "XMPP Compliance Suites 2023 (XEP-0479, version 0.1.0)";

  /// The suite that the others build on.
  static final String CORE = "Core";

  private static final String WEB = "Web";
  private static final String IM = "IM";
  private static final String MOBILE = "Mobile";
  private static final String CALLS = "A/V Calling";

  /// All features in the order of the text.
  static final List<Feature> ALL =
      List.of(
          new Feature(CORE, Level.SERVER, "Core features", "RFC 6120"),
          new Feature(CORE, Level.SERVER, "TLS", "RFC 7590"),
          new Feature(CORE, Level.ADVANCED, "Direct TLS", "XEP-0368"),
          new Feature(CORE, Level.SERVER, "Feature discovery", "XEP-0030"),
          new Feature(CORE, Level.ADVANCED, "Feature broadcasts", "XEP-0115"),
          new Feature(CORE, Level.SERVER, "Server extensibility", "XEP-0114"),
          new Feature(CORE, Level.ADVANCED, "Event publishing", "XEP-0163"),
          new Feature(WEB, Level.SERVER, "Web connection mechanisms", "RFC 7395", "XEP-0206"),
          new Feature(IM, Level.SERVER, "Core features", "RFC 6121"),
          new Feature(IM, Level.ADVANCED, "User avatar compatibility", "XEP-0398", "XEP-0153"),
          new Feature(IM, Level.SERVER, "vcard-temp", "XEP-0054"),
          new Feature(IM, Level.SERVER, "Outbound message synchronization", "XEP-0280"),
          new Feature(IM, Level.ADVANCED, "User blocking", "XEP-0191"),
          new Feature(IM, Level.SERVER, "Group chat", "XEP-0045", "XEP-0249"),
          new Feature(
              IM,
              Level.ADVANCED,
              "Advanced group chat",
              "XEP-0048",
              "XEP-0313",
              "XEP-0402",
              "XEP-0410"),
          new Feature(IM, Level.ADVANCED, "Private data via PubSub", "XEP-0223"),
          new Feature(IM, Level.ADVANCED, "Private XML storage", "XEP-0049"),
          new Feature(IM, Level.ADVANCED, "Stream management", "XEP-0198"),
          new Feature(IM, Level.ADVANCED, "History storage and retrieval", "XEP-0313"),
          new Feature(IM, Level.SERVER, "File upload", "XEP-0363"),
          new Feature(MOBILE, Level.SERVER, "Stream management", "XEP-0198"),
          new Feature(MOBILE, Level.SERVER, "Client state indication", "XEP-0352"),
          new Feature(MOBILE, Level.ADVANCED, "Third-party push notifications", "XEP-0357"),
          new Feature(CALLS, Level.SERVER, "STUN/TURN server discovery", "XEP-0215"));

  private ComplianceSuites() {}
}
