/// Where the accounts of a host are, as parts of the configuration.
@NullMarked
package im.zonda.config.accounts;

import org.jspecify.annotations.NullMarked;
