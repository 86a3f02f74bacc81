/// Connects the routes with the homes of accounts and services.
@NullMarked
package im.zonda.home.router;

import org.jspecify.annotations.NullMarked;
