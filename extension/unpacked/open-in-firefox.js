// The button in the toolbar opens and closes the sidebar. While that is closed, nothing else of this extension runs.
browser.action.onClicked.addListener(() => browser.sidebarAction.toggle());
