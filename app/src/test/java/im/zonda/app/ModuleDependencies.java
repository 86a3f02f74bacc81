package im.zonda.app;

import java.util.List;
import java.util.Map;

/// Which modules know another one, and what of a module others may use, each with the reason.
final class ModuleDependencies {
  /// Modules that know another one. Think before you add: a module that knows another cannot be
  /// taken out, nor tested, without it.
  static final List<Allowed> ALLOWED =
      List.of(
          new Allowed(
              "presence",
              "roster",
              "subscriptions are roster items that presence changes (RFC 6121, section 3)"),
          new Allowed(
              "privilege",
              "roster",
              "components get roster pushes, and presence of contacts (XEP-0356)"),
          new Allowed("mam", "roster", "a preference is for contacts only (XEP-0441)"),
          new Allowed("muc", "export", "rooms are exported, and what a person has written in them"),
          new Allowed("muc", "forms", "data forms are a part of other requests (XEP-0004)"),
          new Allowed("mam", "rsm", "result sets are a part of other requests (XEP-0059)"),
          new Allowed(
              "muc", "mam", "a room's archive answers the same queries as an account's (XEP-0313)"),
          new Allowed("muc", "requests", "the host asks rooms for its administrators"),
          new Allowed("muc", "rsm", "lists of rooms and archives come in pages (XEP-0059)"),
          new Allowed(
              "blocking",
              "presence",
              "who is blocked sees the account go, and sees it again afterwards (XEP-0191)"),
          new Allowed("blocking", "admin", "reports are forwarded to administrators (XEP-0377)"),
          new Allowed("commands", "forms", "stages of commands are forms (XEP-0050)"),
          new Allowed("admin", "commands", "administration is a set of commands (XEP-0133)"),
          new Allowed("admin", "forms", "commands ask by forms (XEP-0133)"),
          new Allowed("admin", "disco", "commands are discovered (XEP-0050)"),
          new Allowed("invitations", "admin", "invitations are commands of the host (XEP-0401)"),
          new Allowed("invitations", "commands", "invitations are commands (XEP-0401)"),
          new Allowed("invitations", "forms", "commands ask and answer by forms (XEP-0401)"),
          new Allowed(
              "invitations",
              "presence",
              "a request with a token is approved, and the user's sent in return (XEP-0379)"),
          new Allowed("circle", "roster", "who leaves is in the group of a circle no more"),
          new Allowed("circle", "presence", "the members of a circle are contacts"),
          new Allowed("circle", "bookmarks", "they have a bookmark of its room (XEP-0402)"),
          new Allowed("circle", "muc", "a circle has a room (XEP-0045)"),
          new Allowed("circle", "invitations", "an invited account joins a circle"),
          new Allowed("circle", "admin", "circles are commands of administrators (XEP-0050)"),
          new Allowed("circle", "commands", "circles are commands of administrators (XEP-0050)"),
          new Allowed("circle", "forms", "commands ask and answer by forms (XEP-0004)"),
          new Allowed(
              "registration", "invitations", "accounts are registered by invitation (XEP-0445)"),
          new Allowed("registration", "forms", "a new account is asked for by a form (XEP-0077)"),
          new Allowed("contact", "forms", "addresses are in a form (XEP-0157)"),
          new Allowed("datapolicy", "forms", "the policy is a form (XEP-0504)"),
          new Allowed("push", "forms", "what a push service learns is a form (XEP-0357)"),
          new Allowed("bytestreams", "disco", "a domain that answers requests (XEP-0030)"),
          new Allowed("search", "disco", "a domain that answers requests (XEP-0030)"),
          new Allowed("search", "forms", "fields and results are forms (XEP-0055)"),
          new Allowed("upload", "disco", "a domain that answers requests (XEP-0030)"),
          new Allowed("upload", "forms", "the maximum size is in a form (XEP-0128)"),
          new Allowed("export", "privatexml", "an export has all private XML (XEP-0227)"),
          new Allowed("export", "upload", "and the addresses of uploaded files"),
          new Allowed("search", "rsm", "results come in pages (XEP-0059)"),
          new Allowed("search", "vcard", "users are found by their vCards (XEP-0054)"),
          new Allowed("pubsub", "roster", "access depends on subscriptions and groups (XEP-0163)"),
          new Allowed("pubsub", "forms", "data forms are a part of other requests (XEP-0004)"),
          new Allowed("pubsub", "requests", "the host asks nodes for its administrators"),
          new Allowed("pubsub", "rsm", "items come in pages (XEP-0059)"),
          new Allowed("pubsub", "mam", "nodes have archives (XEP-0442)"),
          new Allowed(
              "pubsub",
              "disco",
              "nodes are discovered, and hashes of features verified (XEP-0030, XEP-0115)"),
          new Allowed("bookmarks", "pubsub", "bookmarks are items of a node (XEP-0402)"),
          new Allowed("bookmarks", "privatexml", "and were private XML before (XEP-0048)"),
          new Allowed("avatar", "pubsub", "the picture is an item of a node (XEP-0084)"),
          new Allowed("avatar", "vcard", "and the photo of a vCard (XEP-0398)"),
          new Allowed("avatar", "presence", "presence tells another picture (XEP-0398)"),
          new Allowed("displayed", "pubsub", "what was displayed is in a node (XEP-0490)"),
          new Allowed("following", "pubsub", "what an account follows is in nodes (XEP-0465)"),
          new Allowed("profile", "pubsub", "vCards and microblogs are nodes (XEP-0292, XEP-0277)"),
          new Allowed("moved", "roster", "only contacts move (XEP-0283)"),
          new Allowed("moved", "presence", "the request of a contact who has moved is approved"),
          new Allowed("strangers", "roster", "a contact is no stranger"),
          new Allowed("strangers", "presence", "who was sent directed presence is no stranger"));

  /// Types that a module shows to other packages beside its [im.zonda.module.XmppModule], with
  /// those who use them.
  static final Map<String, String> SHOWN =
      Map.ofEntries(
          Map.entry("im.zonda.module.forms.DataForm", "data forms are a part of other requests"),
          Map.entry(
              "im.zonda.module.disco.AccountNodes",
              "publish-subscribe describes the nodes of accounts"),
          Map.entry(
              "im.zonda.module.disco.RequestService", "a domain that is discovered and answers"),
          Map.entry(
              "im.zonda.module.disco.CapabilityHash",
              "publish-subscribe verifies the hashes of clients"),
          Map.entry(
              "im.zonda.module.disco.VerificationString",
              "publish-subscribe verifies the hashes of clients"),
          Map.entry(
              "im.zonda.module.rsm.ResultSetRequest", "result sets are a part of other requests"),
          Map.entry("im.zonda.module.rsm.ResultSetException", "thrown by ResultSetRequest"),
          Map.entry(
              "im.zonda.module.requests.HostRequests",
              "the host asks homes for its administrators"),
          Map.entry("im.zonda.module.rsm.OrderRequest", "orders are a part of other requests"),
          Map.entry("im.zonda.module.mam.ArchiveQueries", "rooms answer the same queries"),
          Map.entry(
              "im.zonda.module.mam.NodeArchiveQueries",
              "publish-subscribe answers queries for the archives of nodes"),
          Map.entry(
              "im.zonda.module.roster.Rosters",
              "presence, the archive's preferences and the policy for strangers read rosters"),
          Map.entry(
              "im.zonda.module.roster.Roster",
              "presence changes subscriptions, which are roster items"),
          Map.entry("im.zonda.module.roster.SubscriptionState", "the state of a roster item"),
          Map.entry("im.zonda.module.roster.Transition", "the rules by which the state changes"),
          Map.entry("im.zonda.module.invitations.Invitation", "an account is registered with it"),
          Map.entry("im.zonda.module.admin.operation.AccountLists", "commands ask for operations"),
          Map.entry(
              "im.zonda.module.admin.operation.AccountOperations", "commands ask for operations"),
          Map.entry(
              "im.zonda.module.admin.operation.FileOperations", "commands ask for operations"),
          Map.entry(
              "im.zonda.module.admin.operation.MessageOperations", "commands ask for operations"),
          Map.entry("im.zonda.module.pubsub.NodeOperations", "the program lists operations"),
          Map.entry("im.zonda.module.muc.admin.RoomOperations", "the program lists operations"),
          Map.entry(
              "im.zonda.module.invitations.InvitationOperations", "the program lists operations"),
          Map.entry("im.zonda.module.circle.CircleOperations", "the program lists operations"),
          Map.entry("im.zonda.module.group.GroupOperations", "the program lists operations"),
          Map.entry("im.zonda.module.export.RoomArchives", "rooms are exported"),
          Map.entry("im.zonda.module.export.ExportOperations", "the program lists operations"),
          Map.entry("im.zonda.module.commands.Command", "a command of an address"),
          Map.entry("im.zonda.module.commands.CommandTable", "runs the commands of an address"),
          Map.entry("im.zonda.module.commands.CommandStage", "answers a stage of a command"),
          Map.entry("im.zonda.module.commands.CommandSessions", "the bounds of commands that run"),
          Map.entry("im.zonda.module.commands.CommandXml", "names of the elements of commands"),
          Map.entry("im.zonda.module.disco.CommandNodes", "administration describes its commands"),
          Map.entry(
              "im.zonda.module.pubsub.PepNodes",
              "bookmarks, avatars, profiles, what was displayed or is followed are in nodes"));

  private ModuleDependencies() {}

  /// A module that may use another one.
  ///
  /// @param user the package of the module below `module`
  /// @param used the package that it uses
  record Allowed(String user, String used, String reason) {}
}
