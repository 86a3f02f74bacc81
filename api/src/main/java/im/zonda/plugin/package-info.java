/// The interface for plugins. A plugin is a jar that an operator adds to a running server.
///
/// A plugin sees the packages `im.zonda.plugin`, `im.zonda.jid`, `im.zonda.xml`, `im.zonda.stanza`,
/// `im.zonda.operation`, `im.zonda.http`, `im.zonda.account.provider`, `java.*` and `org.slf4j`,
/// and the classes in its own jar. Types marked [Stable] change only so that plugins that were
/// compiled before still run; types marked [Preview] may change with any version.
@NullMarked
package im.zonda.plugin;

import org.jspecify.annotations.NullMarked;
